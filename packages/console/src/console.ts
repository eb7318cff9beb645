import type { AddedRoutes } from '@svc/http';
import { apiRoutes, operations } from './api/index.js';
import { pageRoutes } from './page.js';

/** The options of the console. */
export interface ConsoleOptions {
  /** The name of the service, in the title of the page. Default: `Service`. */
  readonly title?: string;
}

/**
 * Serves the operator console at `/console`, on any host: `serve(service, { console: operatorConsole() })`, or
 * `app.register(svc(service, { console: operatorConsole() }))` in Fastify. Operators need the permission `system:read` to view it, and `system:write` to act.
 */
export function operatorConsole({ title = 'Service' }: ConsoleOptions = {}): AddedRoutes {
  return (service) => [...pageRoutes(title), ...apiRoutes(service, operations, { title })];
}
