import { permission, ScopeFilters, type Permission, type Service } from '@svc/core';
import { documentedPath } from './path-parameters.js';
import type { Operation, Reference, SecurityRequirement, SecurityScheme } from './openapi-types.js';

/** How callers authenticate, and what each route requires. */
export interface SecurityDescription {
  readonly schemes: Readonly<Record<string, SecurityScheme>>;
  /** By method and path. */
  readonly routes: ReadonlyMap<string, RouteSecurity>;
}

interface RouteSecurity {
  readonly requires: Permission | null;
  readonly allowAnonymous: boolean;
  readonly scope: ScopeFilters;
}

/** Describes authentication and authorization; null in a service without authentication. */
export function securityOf<TServices extends object>(service: Service<TServices>): SecurityDescription | null {
  const { access, endpoints } = service;
  if (access.isOpen) return null;
  const schemes = access.authenticators.map(({ scheme, header, description }): [string, SecurityScheme] => [
    scheme,
    {
      ...(header === undefined
        ? { type: 'http', scheme: scheme.toLowerCase() }
        : { type: 'apiKey', in: 'header', name: header }),
      ...(description !== undefined && { description }),
    },
  ]);
  const commands = endpoints.map((endpoint): [string, RouteSecurity] => [
    `POST ${documentedPath(endpoint.restRoute ?? '')}`,
    endpoint,
  ]);
  const reading = service.queries.flatMap(({ access: query }): [string, RouteSecurity][] =>
    ['', '/{id}', '/live', '/{id}/live'].map((path) => [`GET ${query.route}${path}`, query]),
  );
  const audit: RouteSecurity = { requires: permission('system:read'), allowAnonymous: false, scope: ScopeFilters.None };
  const routes = new Map([...commands, ...reading]).set(`GET ${service.auditQueries?.route}`, audit);
  return { schemes: Object.fromEntries(schemes), routes };
}

/** Adds the access requirements to an operation. */
export function withSecurity(
  operation: Operation,
  method: 'GET' | 'POST',
  route: string,
  { schemes, routes }: SecurityDescription,
): Operation {
  const { requires = null, allowAnonymous = false, scope = ScopeFilters.None } = routes.get(`${method} ${route}`) ?? {};
  // For schemes other than OAuth, the list names the required roles: here, the permission.
  const needed = requires === null ? [] : [requires];
  const security = Object.keys(schemes).map((scheme): SecurityRequirement => ({ [scheme]: needed }));
  const denials: Record<string, Reference> = { '401': { $ref: '#/components/responses/Unauthenticated' } };
  if (requires !== null || scope !== ScopeFilters.None) denials['403'] = { $ref: '#/components/responses/Forbidden' };
  return {
    ...operation,
    security: allowAnonymous ? [{}, ...security] : security,
    responses: { ...operation.responses, ...denials },
  };
}
