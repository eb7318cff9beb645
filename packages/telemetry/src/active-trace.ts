import { isSpanContextValid, trace } from '@opentelemetry/api';

/** The active span for log lines, or undefined: `structuredLogs({ activeTrace })`. */
export function activeTrace(): { readonly traceId: string; readonly spanId: string } | undefined {
  const span = trace.getActiveSpan()?.spanContext();
  return span !== undefined && isSpanContextValid(span) ? { traceId: span.traceId, spanId: span.spanId } : undefined;
}
