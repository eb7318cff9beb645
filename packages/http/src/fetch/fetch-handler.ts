import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { Service } from '@svc/core';
import type { ClientConnection } from '../client-connection.js';
import { consoleLog } from '../console-log.js';
import { HostApi } from '../host-api.js';
import type { SentBody } from '../json-body.js';
import type { HostOptions } from '../host-options.js';
import { PlainRequest } from '../plain-request.js';
import { FetchReply } from './fetch-reply.js';

/** A handler for hosts that pass a `Request` and send a `Response`. */
export type FetchHandler = (request: Request) => Promise<Response>;

/**
 * Returns a handler with all routes of a service, for Hono, Next.js, Bun and Deno: `Bun.serve({ fetch: await fetchHandler(service) })`. It
 * starts the service, so configuration errors occur before the host listens. A command is cancelled if the host aborts the request.
 */
export async function fetchHandler<TServices extends object>(
  service: Service<TServices>,
  options: HostOptions = {},
): Promise<FetchHandler> {
  const api = await HostApi.start(service, options);
  const { log = consoleLog, metrics } = options;
  return async (fetched) => {
    const startedAt = performance.now();
    const { pathname, search, host } = new URL(fetched.url);
    const { method } = fetched;
    const match = api.match(method, pathname);
    const request = new PlainRequest({
      raw: { httpVersionMajor: 0, rawHeaders: [], client: clientOf(fetched.signal) },
      method,
      originalUrl: pathname + search,
      headers: { host, ...headersOf(fetched.headers) },
      params: match.kind === 'route' ? match.params : {},
      log,
    });
    const reply = new FetchReply(method === 'HEAD');
    if (match.kind === 'route') api.answer(match, request, reply, () => bodyOf(fetched));
    else api.reject(match, request, reply);
    const response = await reply.response;
    const seconds = (performance.now() - startedAt) / 1000;
    const route = match.kind === 'route' ? match.path : null;
    metrics?.source.answered?.({ method, route, status: response.status, seconds });
    return response;
  };
}

function bodyOf(request: Request): SentBody {
  const { headers } = request;
  // A body with a length is bounded, and hosts read it much faster as a whole.
  const stream = headers.has('content-length') ? Readable.from(wholeBody(request)) : streamOf(request);
  return { stream, encoding: headers.get('content-encoding') ?? undefined };
}

async function* wholeBody(request: Request): AsyncIterable<Buffer> {
  yield Buffer.from(await request.arrayBuffer());
}

function streamOf({ body }: Request): Readable {
  return body === null ? Readable.from([]) : Readable.fromWeb(body);
}

function headersOf(headers: Headers): IncomingHttpHeaders {
  return Object.fromEntries(headers);
}

/** Disconnecting aborts the request in these hosts. */
function clientOf(signal: AbortSignal): ClientConnection {
  return {
    get destroyed() {
      return signal.aborted;
    },
    once: (_event, listener) => signal.addEventListener('abort', listener, { once: true }),
  };
}
