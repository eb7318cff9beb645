/**
 * W3C Trace Context in the metadata of messages. It is always this format, whatever propagator the host has: messages outlive a
 * change of it. Baggage stays behind: nobody knows what is in it, and messages are kept for years.
 */
import { createTraceState, isSpanContextValid, TraceFlags, type SpanContext } from '@opentelemetry/api';

type Metadata = Readonly<Record<string, unknown>>;

/** Version, trace id, parent id, flags. A later version may go on behind them; version ff is invalid. */
const traceparent = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** What the standard asks everybody to pass on at least. */
const longestState = 512;

/** What messages say of the span that caused them; null when there is none. */
export function traceMetadata(span: SpanContext): Metadata | null {
  if (!isSpanContextValid(span)) return null;
  const flags = (span.traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0');
  const state = span.traceState?.serialize() ?? '';
  const parent = { traceparent: `00-${span.traceId}-${span.spanId}-${flags}` };
  return state === '' || state.length > longestState ? parent : { ...parent, tracestate: state };
}

/** The span that caused a message, as its metadata say; null when they say nothing, or nothing that can be understood. */
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
      tracestate.length <= longestState && { traceState: createTraceState(tracestate) }),
  };
  return isSpanContextValid(span) ? span : null;
}
