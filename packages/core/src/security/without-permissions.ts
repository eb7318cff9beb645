import { scopeOfText, type EnvelopeScope } from '../messages/index.js';

const known = new WeakMap<EnvelopeScope, EnvelopeScope>();

/**
 * The scope without what its caller may do: for messages that leave, since each host decides that for itself and headers of a broker have
 * no room for many permissions, and for models, since it says nothing of whose they are. Many share a scope, and share what is left of it.
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
