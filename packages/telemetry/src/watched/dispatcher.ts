import { SpanKind, trace, type SpanContext } from '@opentelemetry/api';
import type { Command, Dispatcher } from '@svc/core';
import type { InvokeOptions, ResultOf } from '@svc/core/hosting';
import { attribute } from '../attributes.js';
import { metric } from '../metrics/metric.js';
import { inSpan, secondsSince } from '../spans.js';
import { spanContextOf, traceMetadata } from '../trace-context.js';
import type { Watch } from '../watch.js';

/**
 * `svc.dispatch`: a command until its changes are committed. Messages it causes carry the trace. A command that another trace has caused, such
 * as a scheduled one, has a link to it.
 */
export function watchedDispatcher(
  inner: Dispatcher,
  typeOf: (command: object) => string,
  { tracer, metrics }: Watch,
): Dispatcher {
  return {
    async invoke<TCommand extends Command>(
      command: TCommand,
      options: InvokeOptions = {},
    ): Promise<ResultOf<TCommand>> {
      const started = performance.now();
      const type = typeOf(command);
      const attributes = { [attribute.commandType]: type };
      return await inSpan(
        tracer,
        { name: 'svc.dispatch', kind: SpanKind.INTERNAL, attributes, cause: otherCauseOf(options) },
        (span) => {
          const traced = traceMetadata(span.spanContext());
          const metadata = traced === null ? options.metadata : { ...options.metadata, ...traced };
          return inner.invoke(command, metadata === undefined ? options : { ...options, metadata });
        },
        (_failure, _span, outcome) =>
          metrics.record(metric.commandDuration, secondsSince(started), {
            ...attributes,
            [attribute.outcome]: outcome,
          }),
      );
    },
  };
}

/** The span that caused a command, unless the command runs in the same trace. */
function otherCauseOf({ metadata }: InvokeOptions): SpanContext | null {
  const cause = metadata === undefined ? null : spanContextOf(metadata);
  return cause?.traceId === trace.getActiveSpan()?.spanContext().traceId ? null : cause;
}
