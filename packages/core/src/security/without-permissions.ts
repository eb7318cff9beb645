import { scopeOfText, type EnvelopeScope } from '../messages/index.js';

const known = new WeakMap<EnvelopeScope, EnvelopeScope>();

/**
 * Removes the permissions from a scope, for messages to other hosts and for models. Other hosts decide on permissions themselves, and headers
 * of brokers are small. Results are cached: many messages share a scope.
 */
export function withoutPermissions(scope: EnvelopeScope | null): EnvelopeScope | null {
  if (scope === null || !('permissions' in scope)) return scope;
  let rest = known.get(scope);
  if (rest === undefined) {
    const { permissions: _held, ...values } = scope;
    known.set(scope, (rest = scopeOfText(JSON.stringify(values))));
  }
  return rest;
}
