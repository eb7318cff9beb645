import {
  context,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Link,
  type Span,
  type SpanContext,
  type SpanKind,
  type Tracer,
} from '@opentelemetry/api';
import { attribute } from './attributes.js';
import { observe, type Ending } from './observe.js';
import { errorTypeOf, isFault, outcomeOf, type Outcome } from './outcome.js';

export interface SpanStart {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
  /** Default: the active context. */
  readonly parent?: Context;
  /** The span that caused the work, in a trace of its own. Default: none. */
  readonly cause?: SpanContext | null;
}

/** Runs an action in a new span. */
export function inSpan<T>(
  tracer: Tracer,
  { name, kind, attributes, parent = context.active(), cause = null }: SpanStart,
  action: (span: Span) => T,
  ended: (failure: Ending, span: Span, outcome: Outcome) => void = () => {},
): T {
  const span = tracer.startSpan(name, { kind, attributes, links: linksTo(cause) }, parent);
  return context.with(trace.setSpan(parent, span), () =>
    observe(
      () => action(span),
      (failure) => {
        const outcome = endSpan(span, failure);
        ended(failure, span, outcome);
      },
    ),
  );
}

function linksTo(cause: SpanContext | null): Link[] {
  return cause === null ? [] : [{ context: cause }];
}

/** Ends a span with the outcome of its action. The error message is omitted: it can contain what a caller sent. */
export function endSpan(span: Span, failure: Ending): Outcome {
  const outcome = failure === null ? 'ok' : outcomeOf(failure.error);
  span.setAttribute(attribute.outcome, outcome);
  if (failure !== null) span.setAttribute(attribute.errorType, errorTypeOf(failure.error));
  if (isFault(outcome)) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
  return outcome;
}

/** Seconds since a moment of `performance.now()`. */
export function secondsSince(start: number): number {
  return (performance.now() - start) / 1000;
}
