/**
 * The scope of messages without a caller. The sender vouches for tenant and user. Roles, permissions and source are dropped, because this host
 * has not checked them.
 */
import { scopeOfText, type EnvelopeScope } from '../messages/index.js';
import type { SecurityContext } from '../security/index.js';

/** Only this host may set these: roles, permissions, the source, and the proven origin. */
const reserved = ['roles', 'permissions', 'source', 'origin'] as const;

const ofEvents = new WeakMap<EnvelopeScope, EnvelopeScope>();
const ofCommands = new WeakMap<EnvelopeScope, { readonly origin: string | null; readonly scope: EnvelopeScope }>();

const noScope: EnvelopeScope = Object.freeze({});

/** The scope of a received event. Cached: many events share a scope. */
export function eventScope(scope: EnvelopeScope | null): EnvelopeScope {
  const claimed = scope ?? noScope;
  let known = ofEvents.get(claimed);
  if (known === undefined) ofEvents.set(claimed, (known = recorded(claimed, { source: 'transport' })));
  return known;
}

/** The scope of a received command. `origin`: the host that it is proven to come from. */
export function commandScope(scope: EnvelopeScope | null, origin: string | null): EnvelopeScope {
  const claimed = scope ?? noScope;
  let known = ofCommands.get(claimed);
  if (known === undefined || known.origin !== origin) {
    ofCommands.set(claimed, (known = { origin, scope: recorded(claimed, { source: 'inbox', origin }) }));
  }
  return known.scope;
}

/** The scope of a scheduled command: the tenant and user that scheduled it. */
export function scheduledScope(scope: EnvelopeScope | null): EnvelopeScope {
  return recorded(scope, { source: 'schedule' });
}

/**
 * The scope of a message whose body an operator has edited: the operator is its author, and acts for the tenant of the message. Null: the host, which is
 * no user.
 */
export function editedScope(scope: EnvelopeScope | null, operator: SecurityContext | null): EnvelopeScope {
  const { userId: _user, userName: _name, homeTenantId: _home, ...rest } = scope ?? noScope;
  if (operator === null) return recorded(rest, { source: 'operator' });
  const { userId, tenantId = '' } = operator.scope;
  const home = operator.homeTenantId ?? tenantId;
  return recorded(rest, {
    userId,
    userName: operator.userName,
    ...(home !== (rest['tenantId'] ?? '') && { homeTenantId: home }),
    source: 'operator',
  });
}

/** Converts through text, which is then cached: storages write the text of a scope for each event. It has no values that are undefined. */
function recorded(
  claimed: EnvelopeScope | null,
  own: Readonly<Record<string, string | null | undefined>>,
): EnvelopeScope {
  const values: Record<string, string | null> = { ...claimed };
  for (const name of reserved) delete values[name];
  return scopeOfText(JSON.stringify({ ...values, ...own }));
}
