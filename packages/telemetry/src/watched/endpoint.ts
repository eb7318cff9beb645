import { isSpanContextValid, SpanKind } from '@opentelemetry/api';
import { noteTraceOf, type ReadyEndpoint, around } from '@svc/core/hosting';
import { attribute } from '../attributes.js';
import { inSpan } from '../spans.js';
import type { Watch } from '../watch.js';

/** `svc.endpoint`: an endpoint's hooks and its command. */
export function watchedEndpoint(inner: ReadyEndpoint, { tracer }: Watch): ReadyEndpoint {
  const { endpoint, name, commandType } = inner;
  const attributes = { [attribute.endpoint]: name, [attribute.commandType]: commandType };
  const start = { name: 'svc.endpoint', kind: SpanKind.INTERNAL, attributes };
  return {
    ...inner,
    endpoint: around(endpoint, {
      handle: (...request) =>
        inSpan(
          tracer,
          start,
          () => endpoint.handle(...request),
          (failure, span) => {
            const { traceId } = span.spanContext();
            if (failure !== null && isSpanContextValid(span.spanContext())) noteTraceOf(failure.error, traceId);
          },
        ),
    }),
  };
}
