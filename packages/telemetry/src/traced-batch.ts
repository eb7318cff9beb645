import {
  context,
  ROOT_CONTEXT,
  trace,
  type Attributes,
  type Span,
  type SpanContext,
  type SpanKind,
  type Tracer,
} from '@opentelemetry/api';
import type { TransportMessage } from '@svc/core/transport';
import { attribute } from './attributes.js';
import type { Ending } from './observe.js';
import { endSpan } from './spans.js';
import { spanContextOf, traceMetadata } from './trace-context.js';

export interface BatchSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
}

interface Group {
  readonly cause: SpanContext | null;
  readonly messages: TransportMessage[];
}

/**
 * A batch contains messages of many traces. It gets one span per causing span, in that span's trace, so that every trace is complete.
 * Messages without a cause share a span in a new trace.
 */
export class TracedBatch {
  readonly #spans: readonly Span[];
  readonly #untraced: Span | undefined;

  constructor(tracer: Tracer, start: BatchSpan, messages: readonly TransportMessage[]) {
    let untraced: Span | undefined;
    this.#spans = groupsOf(messages).map((group) => {
      const span = startSpan(tracer, start, group);
      if (group.cause === null) untraced = span;
      return span;
    });
    this.#untraced = untraced;
  }

  /** Runs an action with the span active, or with none if there are several. */
  run<T>(action: () => T): T {
    const [first, second] = this.#spans;
    const active = first === undefined || second !== undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, first);
    return context.with(active, action);
  }

  /** The outgoing message. A message without a cause joins the trace of its publishing. */
  leaving(message: TransportMessage): TransportMessage {
    if (this.#untraced === undefined || spanContextOf(message.metadata) !== null) return message;
    const metadata = traceMetadata(this.#untraced.spanContext());
    return metadata === null ? message : { ...message, metadata: { ...message.metadata, ...metadata } };
  }

  end(failure: Ending, attributes: Attributes = {}): void {
    for (const span of this.#spans) {
      span.setAttributes(attributes);
      endSpan(span, failure);
    }
  }
}

function groupsOf(messages: readonly TransportMessage[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const message of messages) {
    const cause = spanContextOf(message.metadata);
    const key = cause === null ? '' : cause.traceId + cause.spanId;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { cause, messages: [message] });
    else known.messages.push(message);
  }
  return [...groups.values()];
}

function startSpan(tracer: Tracer, { name, kind, attributes }: BatchSpan, { cause, messages }: Group): Span {
  const destinations = new Set(messages.map(({ destination }) => destination));
  const [destination] = destinations;
  const own: Attributes = {
    ...attributes,
    [attribute.messageCount]: messages.length,
    ...(destinations.size === 1 && { [attribute.destination]: destination }),
  };
  const parent = cause === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, cause);
  return tracer.startSpan(name, { kind, attributes: own }, parent);
}
