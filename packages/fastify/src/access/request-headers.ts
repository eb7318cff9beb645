import type { Headers } from '@svc/core';
import type { FastifyRequest } from 'fastify';

/**
 * The headers of a request, for authenticators. Of a header that was sent twice, Node keeps the first in some cases, and a proxy in
 * front may have looked at the second: all values are handed over together, which no credential looks like.
 */
export function headersOfRequest({ headers, raw: { rawHeaders } }: FastifyRequest): Headers {
  return (name) => {
    const value = headers[name];
    if (value === undefined) return undefined;
    const values: string[] = [];
    for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
      if (rawHeaders[i]!.toLowerCase() === name) values.push(rawHeaders[i + 1]!);
    }
    // A hook of the host may have set the header; it is in the parsed ones only, then.
    return values.length > 1 ? values.join(', ') : String(value);
  };
}
