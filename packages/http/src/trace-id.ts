import { traceOfError } from '@svc/core/hosting';
import { longestHeader } from './content-type.js';

/** W3C Trace Context: version, trace id, parent id, flags. A later version may add fields; version ff and ids of zeros are invalid. */
const traceparent = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/;
const wholeTraceId = /^(?!0{32})[0-9a-f]{32}$/;

/** The parts of a request that determine its trace. */
export interface TracedRequest {
  /** The id in its log lines. */
  readonly id?: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * Returns the trace id of a request: that of its error; else the request's id, if the host assigns trace ids; else the one that the caller
 * sent; else a new one.
 */
export function traceIdOf({ id, headers }: TracedRequest, error?: unknown): string {
  const noted = traceOfError(error);
  if (noted !== undefined) return noted;
  return id !== undefined && wholeTraceId.test(id) ? id : traceIdOfHeader(headers['traceparent']);
}

/** The trace id as a log field, only if it differs from the request id, which every line has already. */
export function traceField(requestId: string, traceId: string): { readonly traceId?: string } {
  return requestId === traceId ? {} : { traceId };
}

function traceIdOfHeader(header: string | string[] | undefined): string {
  const match = typeof header === 'string' && header.length <= longestHeader ? traceparent.exec(header) : null;
  if (match === null) return newTraceId();
  const [, version, traceId, more] = match;
  return version === '00' && more !== undefined ? newTraceId() : traceId!;
}

function newTraceId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
