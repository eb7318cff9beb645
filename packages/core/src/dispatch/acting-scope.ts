import { ServiceError } from '../errors/index.js';
import type { EnvelopeScope } from '../messages/index.js';
import { scopeOf, scopeOfValues, type SecurityContext } from '../security/index.js';

/** Who may invoke commands, and for whom. */
export interface ActorGuard {
  /** Whether callers reach the streams of their own tenant alone. */
  readonly isolatesTenants: boolean;
  /** Who acts now: a caller, or null for the host. */
  readonly actor: SecurityContext | null;
}

/** The scope of a command: the actor's own, or the given one. Throws when a caller gives the scope of another tenant. */
export function scopeFor({ actor, isolatesTenants }: ActorGuard, given?: EnvelopeScope | null): EnvelopeScope | null {
  if (given === undefined) return scopeOf(actor);
  if (actor === null || !isolatesTenants) return given;
  if ((given?.['tenantId'] ?? '') === (actor.scope.tenantId ?? '')) return given;
  throw new ServiceError(
    'SVC_TENANT_MISMATCH',
    'A command cannot be invoked in the scope of another tenant than that of the caller. Use runAsHost for work that crosses tenants.',
  );
}

/** The context in which the host acts for the tenant of a scope. It has no permissions. */
export function contextOfScope(scope: EnvelopeScope): SecurityContext {
  const userName = scope['userName'];
  return {
    scope: scopeOfValues(scope),
    roles: new Set(),
    permissions: new Set(),
    source: scope['source'] ?? 'host',
    ...(typeof userName === 'string' && { userName }),
  };
}
