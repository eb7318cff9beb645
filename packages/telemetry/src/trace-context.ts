/**
 * W3C Trace Context in the metadata of messages. The format is fixed, whatever propagator the host uses, because messages outlive it.
 * Baggage is not included: its content is unknown, and messages are stored for years.
 */
import { createTraceState, isSpanContextValid, TraceFlags, type SpanContext } from '@opentelemetry/api';

type Metadata = Readonly<Record<string, unknown>>;

/** Version, trace id, parent id, flags. A later version may append fields; version ff is invalid. */
const traceparent = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** The minimum size that the standard requires everyone to propagate. */
const maxStateLength = 512;

/** The trace context of the current span, for messages it causes; null without a span. */
export function traceMetadata(span: SpanContext): Metadata | null {
  if (!isSpanContextValid(span)) return null;
  const flags = (span.traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0');
  const state = span.traceState?.serialize() ?? '';
  const parent = { traceparent: `00-${span.traceId}-${span.spanId}-${flags}` };
  return state === '' || state.length > maxStateLength ? parent : { ...parent, tracestate: state };
}

/** The span that caused a message, from its metadata; null if it is missing or invalid. */
export function spanContextOf(metadata: Metadata): SpanContext | null {
  const { traceparent: header, tracestate } = metadata;
  const match = typeof header === 'string' ? traceparent.exec(header) : null;
  if (match === null) return null;
  const [, version, traceId, spanId, flags, more] = match;
  if (version === '00' && more !== undefined) return null;
  const span: SpanContext = {
    traceId: traceId!,
    spanId: spanId!,
    traceFlags: Number.parseInt(flags!, 16) & TraceFlags.SAMPLED,
    isRemote: true,
    ...(typeof tracestate === 'string' &&
      tracestate.length <= maxStateLength && { traceState: createTraceState(tracestate) }),
  };
  return isSpanContextValid(span) ? span : null;
}
