/** What log lines say of the span that is active when they are written. */
import { isSpanContextValid, trace, type SpanContext } from '@opentelemetry/api';

/** The trace of the active span; undefined when none is. */
export function activeTraceId(): string | undefined {
  return activeSpan()?.traceId;
}

/** The active span for a log line, under the names that OpenTelemetry's own instrumentations of loggers use; nothing when none is. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  const span = activeSpan();
  return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId };
}

function activeSpan(): SpanContext | undefined {
  const span = trace.getActiveSpan()?.spanContext();
  return span !== undefined && isSpanContextValid(span) ? span : undefined;
}
