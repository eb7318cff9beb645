import type { Service } from '@svc/core';
import type { SvcOptions } from '../options.js';
import { auditRoutes } from './audit-route.js';
import { commandRoutes } from './command-routes.js';
import { documentationRoutes } from './documentation-routes.js';
import { LiveConnections } from '../live/index.js';
import { liveRoutes } from './live-routes.js';
import { queryRoutes } from './query-routes.js';
import type { Route } from './route.js';

/** All routes of a service: commands, models, audit and documentation over REST, GraphQL, and the console. The service must be ready. */
export function serviceRoutes<TServices extends object>(
  service: Service<TServices>,
  prefix: string,
  options: SvcOptions,
): readonly Route[] {
  // REST and GraphQL share the limits.
  const live = options.live === false ? null : new LiveConnections(options.live, service.telemetry?.live);
  service.access.onPermissionsChanged(() => live?.checkAll());
  return [
    ...commandRoutes(service),
    ...queryRoutes(service.queries, service.access),
    ...(live === null ? [] : liveRoutes(service.queries, service.access, live)),
    ...auditRoutes(service),
    ...documentationRoutes(service, prefix, options),
    ...(options.graphql?.(service, live) ?? []),
    ...(options.console?.(service, live) ?? []),
  ];
}
