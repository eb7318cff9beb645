export { waiting } from './event-wait.js';
export { healthRoutes, type ChecksOf, type HealthProbesOptions } from './health-routes.js';
export { metricsRoute, type MeasuredRequest, type MetricsOptions, type MetricsSource } from './metrics-route.js';
export { resourceMetadataRoutes } from './resource-metadata-routes.js';
export { duplicateRoute, RouteOwners } from './route-owners.js';
export type { AddedRoutes, Route, RouteBody } from './route.js';
export { serviceRoutes } from './service-routes.js';
