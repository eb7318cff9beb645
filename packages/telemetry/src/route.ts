import { context, createContextKey, SpanKind, trace, type Span } from '@opentelemetry/api';
import { attribute } from './attributes.js';

/** What OpenTelemetry's HTTP instrumentation shares with frameworks: it adds the route to its span, its name and its metrics. */
interface RequestMetadata {
  route?: string;
}

/** The key is the same in every copy of `@opentelemetry/core`, which would be a large dependency for it alone. */
const requestMetadata = createContextKey('OpenTelemetry SDK Context Key RPC_METADATA');

/** Sets `http.route` of the current request: a route of the program, never the path. */
export function noteRoute(route: string): void {
  const active = context.active();
  const metadata = active.getValue(requestMetadata) as RequestMetadata | undefined;
  if (metadata !== undefined) metadata.route = route;
  const span: (Span & { readonly kind?: SpanKind }) | undefined = trace.getSpan(active);
  // Other instrumentations share nothing. The API does not show the kind of a span; the spans of SDKs have it.
  if (span?.kind === SpanKind.SERVER) span.setAttribute(attribute.httpRoute, route);
}
