import { ROOT_CONTEXT, SpanKind } from '@opentelemetry/api';
import type { RunReaction } from '@svc/core/hosting';
import { attribute } from '../attributes.js';
import { metric } from '../metrics/metric.js';
import { inSpan, secondsSince } from '../spans.js';
import { spanContextOf, traceMetadata } from '../trace-context.js';
import type { Watch } from '../watch.js';

/** `svc.react`: an attempt of a reaction until its changes are committed. A new trace, with a link to the cause of its event. */
export function watchedReactions(inner: RunReaction, { tracer, metrics }: Watch): RunReaction {
  return (run) => {
    const { name, envelope, attempt } = run;
    const started = performance.now();
    const labels = { [attribute.reaction]: name };
    if (attempt === 1) {
      metrics.record(metric.reactionLag, Math.max(0, Date.now() - envelope.timestamp.getTime()) / 1000, labels);
    }
    const attributes = { ...labels, [attribute.eventType]: envelope.type, [attribute.attempt]: attempt };
    const cause = spanContextOf(envelope.metadata);
    return inSpan(
      tracer,
      { name: 'svc.react', kind: SpanKind.INTERNAL, attributes, parent: ROOT_CONTEXT, cause },
      (span) => {
        const traced = traceMetadata(span.spanContext());
        if (traced === null) return inner(run);
        return inner({ ...run, envelope: { ...envelope, metadata: { ...envelope.metadata, ...traced } } });
      },
      (_failure, _span, outcome) =>
        metrics.record(metric.reactionDuration, secondsSince(started), { ...labels, [attribute.outcome]: outcome }),
    );
  };
}
