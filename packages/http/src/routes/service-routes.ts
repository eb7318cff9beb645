import type { Service } from '@svc/core';
import type { AccessControl } from '@svc/core/hosting';
import type { SvcOptions } from '../options.js';
import { auditRoutes } from './audit-route.js';
import { commandRoutes } from './command-routes.js';
import { documentationRoutes } from './documentation-routes.js';
import { LiveConnections, type LiveOptions } from '../live/index.js';
import { liveRoutes } from './live-routes.js';
import { queryRoutes } from './query-routes.js';
import type { Route } from './route.js';

/** All routes of a service: commands, models, audit and documentation over REST, and GraphQL. The service must be ready. */
export function serviceRoutes<TServices extends object>(
  service: Service<TServices>,
  prefix: string,
  options: SvcOptions,
): readonly Route[] {
  return [
    ...commandRoutes(service),
    ...queryRoutes(service.queries, service.access),
    ...(options.live === false
      ? []
      : liveRoutes(service.queries, service.access, connectionsOf(service, options.live))),
    ...auditRoutes(service),
    ...documentationRoutes(service, prefix, options),
    ...(options.graphql?.(service) ?? []),
  ];
}

function connectionsOf(
  { access }: { readonly access: AccessControl },
  options: LiveOptions | undefined,
): LiveConnections {
  const connections = new LiveConnections(options);
  access.onPermissionsChanged(() => connections.checkAll());
  return connections;
}
