import type { Permission, Service } from '@svc/core';
import type { Operation, Reference, SecurityRequirement, SecurityScheme } from './openapi-types.js';

/** How callers show who they are, and who may use which route. */
export interface SecurityDescription {
  readonly schemes: Readonly<Record<string, SecurityScheme>>;
  readonly routes: ReadonlyMap<string, { readonly requires: Permission | null; readonly allowAnonymous: boolean }>;
}

/** What the document says of access; null when everybody may do everything. */
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
  const routes = endpoints.map((endpoint): [string, (typeof endpoints)[number]] => [
    endpoint.restRoute ?? '',
    endpoint,
  ]);
  return { schemes: Object.fromEntries(schemes), routes: new Map(routes) };
}

/** An operation with what it asks of callers. */
export function withSecurity(operation: Operation, route: string, { schemes, routes }: SecurityDescription): Operation {
  const { requires = null, allowAnonymous = false } = routes.get(route) ?? {};
  // For schemes other than OAuth, the list names the roles that are needed: here, the permission.
  const needed = requires === null ? [] : [requires];
  const security = Object.keys(schemes).map((scheme): SecurityRequirement => ({ [scheme]: needed }));
  const refusals: Record<string, Reference> = { '401': { $ref: '#/components/responses/Unauthenticated' } };
  if (requires !== null) refusals['403'] = { $ref: '#/components/responses/Forbidden' };
  return {
    ...operation,
    security: allowAnonymous ? [{}, ...security] : security,
    responses: { ...operation.responses, ...refusals },
  };
}
