import { ROOT_CONTEXT, SpanKind } from '@opentelemetry/api';
import { around } from '@svc/core/hosting';
import type { PerspectiveCommit, PerspectiveStorage, Storage } from '@svc/core/storage';
import { attribute } from '../attributes.js';
import { metric } from '../metrics/metric.js';
import { inSpan } from '../spans.js';
import type { Watch } from '../watch.js';

/** `svc.apply`: a batch of events applied to a perspective, until its models are committed. A new trace: a batch has events of many. */
export function watchedPerspectives(
  inner: PerspectiveStorage,
  { systemName }: Storage,
  { tracer, metrics }: Watch,
): PerspectiveStorage {
  return around(inner, {
    commitPerspective(commit) {
      const { perspective: name, tables } = commit;
      const isRebuild = tables?.role === 'rebuilding' || tables?.role === 'migrating';
      const attributes = {
        ...(systemName !== undefined && { [attribute.dbSystem]: systemName }),
        [attribute.perspective]: name,
        [attribute.rebuild]: isRebuild,
        [attribute.models]: commit.models.length,
      };
      return inSpan(
        tracer,
        { name: 'svc.apply', kind: SpanKind.INTERNAL, attributes, parent: ROOT_CONTEXT },
        () => inner.commitPerspective(commit),
        (failure, _span, outcome) => {
          metrics.record(metric.perspectiveBatches, 1, {
            [attribute.perspective]: name,
            [attribute.outcome]: outcome,
          });
          const newest = failure === null && !isRebuild ? newestOf(commit) : null;
          if (newest === null) return;
          const lag = Math.max(0, Date.now() - newest) / 1000;
          metrics.record(metric.perspectiveLag, lag, { [attribute.perspective]: name });
        },
      );
    },
  });
}

/** When the newest event of a batch happened, from its id. Null without events. */
function newestOf({ models }: PerspectiveCommit): number | null {
  let newest = '';
  for (const { lastEventId } of models) if (lastEventId > newest) newest = lastEventId;
  return newest === '' ? null : Number.parseInt(newest.slice(0, 8) + newest.slice(9, 13), 16);
}
