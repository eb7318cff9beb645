/**
 * The scope that something from another host is recorded under. The host vouches for tenant and user; what it says of roles and
 * permissions, and of where they come from, was never checked here, and is left out.
 */
import { scopeOfText, type EnvelopeScope } from '../messages/index.js';

/** Says what only this host may: which roles and permissions the caller has, how the caller came, and which host was proven. */
const reserved = ['roles', 'permissions', 'source', 'origin'] as const;

const ofEvents = new WeakMap<EnvelopeScope, EnvelopeScope>();
const ofCommands = new WeakMap<EnvelopeScope, { readonly origin: string | null; readonly scope: EnvelopeScope }>();

const noScope: EnvelopeScope = Object.freeze({});

/** Many events share a scope, and share what becomes of it. */
export function eventScope(scope: EnvelopeScope | null): EnvelopeScope {
  const claimed = scope ?? noScope;
  let known = ofEvents.get(claimed);
  if (known === undefined) ofEvents.set(claimed, (known = recorded(claimed, { source: 'transport' })));
  return known;
}

/** `origin`: the host that the command is proven to come from. */
export function commandScope(scope: EnvelopeScope | null, origin: string | null): EnvelopeScope {
  const claimed = scope ?? noScope;
  let known = ofCommands.get(claimed);
  if (known === undefined || known.origin !== origin) {
    ofCommands.set(claimed, (known = { origin, scope: recorded(claimed, { source: 'inbox', origin }) }));
  }
  return known.scope;
}

/** By way of its text, which is then remembered with it: storages write the text of a scope for each event. */
function recorded(claimed: EnvelopeScope, own: EnvelopeScope): EnvelopeScope {
  const values: Record<string, string | null> = { ...claimed };
  for (const name of reserved) delete values[name];
  return scopeOfText(JSON.stringify({ ...values, ...own }));
}
