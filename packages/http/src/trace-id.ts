import { traceOfError } from '@svc/core/hosting';
import { longestHeader } from './content-type.js';

/** W3C Trace Context: version, trace id, parent id, flags. A later version may go on behind them; version ff and ids of zeros are invalid. */
const traceparent = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/;
const wholeTraceId = /^(?!0{32})[0-9a-f]{32}$/;

/** What is looked at of a request. */
export interface TracedRequest {
  /** What its log lines are known by. */
  readonly id?: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * The trace that a request belongs to: the one in which its error came up; the request's own id, where the host gives trace ids to
 * requests; the one that the caller names; or a new one.
 */
export function traceIdOf({ id, headers }: TracedRequest, error?: unknown): string {
  const noted = traceOfError(error);
  if (noted !== undefined) return noted;
  return id !== undefined && wholeTraceId.test(id) ? id : traceIdOfHeader(headers['traceparent']);
}

/** For a log line about a request: its lines have its id already, so only another one is worth a field. */
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
