const traces = new WeakMap<object, string>();

/** Notes the trace in which an error was thrown, so that the response to the caller and the log name the same trace. */
export function noteTraceOf(error: unknown, traceId: string): void {
  if (typeof error === 'object' && error !== null) traces.set(error, traceId);
}

/** The trace in which an error was thrown; undefined if none was noted. */
export function traceOfError(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null ? traces.get(error) : undefined;
}
