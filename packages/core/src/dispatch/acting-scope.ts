import { ServiceError } from '../errors/index.js';
import type { EnvelopeScope } from '../messages/index.js';
import { reactionsIn, scopeOf, scopeOfValues, type SecurityContext } from '../security/index.js';

/** The current actor, and whether tenants are isolated. */
export interface ActorGuard {
  /** Whether callers reach only the streams of their own tenant. */
  readonly isolatesTenants: boolean;
  /** The current actor: a caller, or null for the host. */
  readonly actor: SecurityContext | null;
}

/** The scope of a command: the actor's own, or the given one. Throws if a caller passes the scope of another tenant. */
export function scopeFor({ actor, isolatesTenants }: ActorGuard, given?: EnvelopeScope | null): EnvelopeScope | null {
  if (given === undefined) return scopeOf(actor);
  if (actor === null || !isolatesTenants) return given;
  if ((given?.['tenantId'] ?? '') === (actor.scope.tenantId ?? '')) return given;
  throw new ServiceError(
    'SVC_TENANT_MISMATCH',
    "Cannot invoke the command: its scope belongs to another tenant than the caller's. Use runAsHost for work that crosses tenants.",
  );
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

const none: ReadonlySet<never> = new Set();

/** The context in which the host acts for the tenant of a scope. It has no permissions. */
export function contextOfScope(scope: EnvelopeScope): SecurityContext {
  const context: Writable<SecurityContext> = {
    scope: scopeOfValues(scope),
    roles: none,
    permissions: none,
    source: scope['source'] ?? 'host',
  };
  const userName = scope['userName'];
  if (typeof userName === 'string') context.userName = userName;
  const reactions = reactionsIn(scope);
  if (reactions.length > 0) context.reactions = reactions;
  return context;
}
