/** W3C Trace Context: version, trace id, parent id, flags. A later version may go on behind them; version ff and ids of zeros are invalid. */
const traceparent = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/;

/** The trace the request belongs to, or a new one when it names none. */
export function traceIdOf(header: string | string[] | undefined): string {
  const match = typeof header === 'string' ? traceparent.exec(header) : null;
  if (match === null) return newTraceId();
  const [, version, traceId, more] = match;
  return version === '00' && more !== undefined ? newTraceId() : traceId!;
}

function newTraceId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
