import type { Permission, Service } from '@svc/core';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { restrictingHooks } from './restricted-to.js';

/** The options of `canaryHeader`. */
export interface CanaryHeaderOptions {
  /** The header that forces the new version, as `header` in deploy.json. Default: `x-svc-version`. */
  readonly header?: string;
  /** The permission that a caller needs to send it. */
  readonly requires: Permission | `${string}:${string}`;
}

/**
 * Rejects requests that force this version by a header if the caller lacks the permission: `await app.register(canaryHeader(service, { requires:
 * 'canary:use' }))`. It responds before the body is read. Has no effect in a service without authentication.
 */
export function canaryHeader<TServices extends object>(
  service: Service<TServices>,
  { header = 'x-svc-version', requires }: CanaryHeaderOptions,
): FastifyPluginAsync {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(header))
    throw new RangeError(`header must be a valid HTTP header name, not "${header}".`);
  const name = header.toLowerCase();

  async function guardCanary(app: FastifyInstance): Promise<void> {
    service.start();
    const { preParsing } = restrictingHooks(service, { requires, resourceType: 'canary', resourceId: name });
    if (preParsing === undefined) return;
    // Runs before the hooks of the routes, which may allow anonymous callers.
    app.addHook('preParsing', (request, reply, payload, done) => {
      if (request.headers[name] === undefined) done();
      else preParsing(request, reply, payload, done);
    });
  }
  // Without its own scope: it guards all routes of the instance that it is registered on.
  return Object.assign(guardCanary, { [Symbol.for('skip-override')]: true });
}
