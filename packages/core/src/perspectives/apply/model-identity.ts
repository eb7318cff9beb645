/** Finds the model that an event belongs to. */
import { streamTenantKey, type EnvelopeScope, type MessageEnvelope } from '../../messages/index.js';
import { withoutPermissions } from '../../security/index.js';
import type { ModelIdentity, StoredEvent } from '../../storage/index.js';
import { requireKey, requireOwner, requireScope } from './indexed-values.js';
import type { AppliedEvent, NamedPerspective } from '../perspective.js';
import { UnreadableEvent } from './unreadable-event.js';

/** The id of the model that an event belongs to; null: none. Throws if `keyOf` fails, or if a database cannot store the key or the owner. */
export function modelIdOf({ perspective, owners }: NamedPerspective, event: StoredEvent): string | null {
  const { payload } = event.envelope;
  if (payload instanceof UnreadableEvent) throw payload.error;
  if (perspective.keyOf === undefined) return event.streamId;
  const key = keyOf(perspective, event);
  if (key === null) return null;
  const owner = owners.ofEvent(event.envelope);
  // The id of the model contains it, and a database fails to look for an id that it cannot store.
  requireOwner(owner);
  return owners.idOf(key, owner);
}

/** The model ids of several events; null if one of them cannot be determined. */
export function modelIdsOf(named: NamedPerspective, events: readonly StoredEvent[]): (string | null)[] | null {
  try {
    return events.map((event) => modelIdOf(named, event));
  } catch {
    return null;
  }
}

/** Like `modelIdOf`, but null if the id cannot be determined; applying the event then fails and reports why. */
export function modelIdOrNull(named: NamedPerspective, event: StoredEvent): string | null {
  try {
    return modelIdOf(named, event);
  } catch {
    return null;
  }
}

/** The identity of a model that starts with an event. Throws if a database cannot store it. */
export function identityOf({ perspective, owners }: NamedPerspective, id: string, first: StoredEvent): ModelIdentity {
  const scope = scopeOf(first.envelope);
  requireScope(scope);
  const key = perspective.keyOf === undefined ? id : keyOf(perspective, first)!;
  return { id, key, owner: owners.ofEvent(first.envelope), scope };
}

function keyOf(perspective: NamedPerspective['perspective'], event: StoredEvent): string | null {
  const key = perspective.keyOf!(event.envelope.payload, contextOf(event));
  if (key !== null) requireKey(key);
  return key;
}

/** The scope of an event, with its tenant. The caller's permissions are removed, because they do not decide the owner of a model. */
function scopeOf({ scope: acting, metadata }: MessageEnvelope): EnvelopeScope | null {
  const scope = withoutPermissions(acting);
  const tenantId = metadata[streamTenantKey];
  if (typeof tenantId !== 'string') return scope;
  const { tenantId: _acting, ...rest } = scope ?? {};
  return tenantId === '' ? rest : { ...rest, tenantId };
}

export function contextOf({ streamId, position, envelope }: StoredEvent): AppliedEvent {
  const { id, timestamp, correlationId, scope } = envelope;
  return { id, streamId, position, timestamp, correlationId, scope };
}
