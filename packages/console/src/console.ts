import { ServiceError } from '@svc/core';
import type { AddedRoutes } from '@svc/http';
import { apiRoutes, operations } from './api/index.js';
import { oidcSignIn, requireBearer, type OidcOptions } from './oidc.js';
import { pageRoutes } from './page.js';

/** The options of the console. */
export interface ConsoleOptions {
  /** The name of the service, in the title of the page. Default: `Service`. */
  readonly title?: string;
  /** The version of the service that this host runs, so that operators see it, and how commands are split between versions. Default: `SVC_VERSION`. */
  readonly version?: string | null;
  /** The address of a trace in your tracing system: `https://traces.example/trace/{traceId}`. Default: trace ids are no links. */
  readonly traceUrl?: string | null;
  /** Where users sign in. Default: they have a credential that the service accepts, such as a token. */
  readonly oidc?: OidcOptions | null;
}

/**
 * Serves the operator console at `/console`, on any host: `serve(service, { console: operatorConsole() })`, or
 * `app.register(svc(service, { console: operatorConsole() }))` in Fastify. The host records its activity in the database (`Service.recordActivity`). Operators need the permission `system:read` to view it, and `system:write` to act.
 */
export function operatorConsole({
  title = 'Service',
  version = deployedVersion(),
  traceUrl = null,
  oidc: given = null,
}: ConsoleOptions = {}): AddedRoutes {
  const oidc = given === null ? null : oidcSignIn(given);
  if (traceUrl !== null) requireTraceUrl(traceUrl);
  return (service) => {
    if (oidc !== null) requireBearer(service);
    service.recordActivity({ version });
    return [...pageRoutes(title, oidc?.origins ?? []), ...apiRoutes(service, operations, { title, oidc, traceUrl })];
  };
}

/** A link must not run a script, and must name the trace. */
function requireTraceUrl(text: string): void {
  const isLink = URL.canParse(text) && ['https:', 'http:'].includes(new URL(text).protocol);
  if (isLink && text.includes('{traceId}')) return;
  throw new ServiceError(
    'SVC_INVALID_VALUE',
    `traceUrl must be a URL with {traceId}, such as "https://traces.example/trace/{traceId}", not "${text}".`,
  );
}

/** The version that `svc deploy` sets. An empty variable counts as not set. */
function deployedVersion(): string | null {
  const { SVC_VERSION: version = '' } = process.env;
  return version === '' ? null : version;
}
