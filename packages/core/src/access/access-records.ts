import { scopeText } from '../messages/index.js';
import { runAs, scopeOf, ScopeFilters, withoutPermissions, type SecurityContext } from '../security/index.js';
import {
  AccessDenied,
  AccessGranted,
  AuthenticationFailed,
  RepeatedRecords,
  ScopeContextEstablished,
  type AccessDenialReason,
  type SystemEventEmitter,
} from '../system-events/index.js';
import type { AccessRequest } from './access-request.js';

/** How many resources of a kind are recorded per caller and minute; further ones are counted. A person reads fewer. */
export const mostGrants = 200;

/** Emits the decisions of access control. Decisions that a caller can repeat at will are emitted once a minute, with a count. */
export class AccessRecords {
  readonly #emitter: SystemEventEmitter;
  readonly #repeated: RepeatedRecords;
  /** Separate: callers that read a lot must not evict the windows of denials. */
  readonly #grants: RepeatedRecords;
  readonly #grantsWithin = new WeakMap<object, Map<string, Promise<void>>>();

  constructor(emitter: SystemEventEmitter, report: (error: unknown) => void) {
    this.#emitter = emitter;
    this.#repeated = new RepeatedRecords(report);
    this.#grants = new RepeatedRecords(report, mostGrants);
  }

  established(context: SecurityContext): Promise<void> {
    const { scope, roles, permissions, source } = context;
    const timestamp = new Date();
    return this.#emit(
      context,
      Object.assign(new ScopeContextEstablished(), { scope, roles, permissions, source, timestamp }),
    );
  }

  /** A caller was granted access. */
  granted(context: SecurityContext, { within, ...request }: AccessRequest): Promise<void> {
    if (within === undefined) return this.#grant(context, request);
    let known = this.#grantsWithin.get(within);
    if (known === undefined) this.#grantsWithin.set(within, (known = new Map<string, Promise<void>>()));
    const { resourceType, resourceId, requires, filter } = request;
    const key = JSON.stringify([resourceType, resourceId, requires, filter]);
    let granting = known.get(key);
    if (granting === undefined) known.set(key, (granting = this.#grant(context, request)));
    return granting;
  }

  /** A caller was granted access to another tenant. */
  crossed(context: SecurityContext, request: AccessRequest): Promise<void> {
    const emit = (count: number): Promise<void> => this.#emit(context, accessGranted(context, request, count));
    const key = JSON.stringify([request.resourceType, request.resourceId]);
    return this.#repeated.record({ group: `crossed ${nameOf(context)}`, key, emit, emitOthers: emit });
  }

  denied(context: SecurityContext, request: AccessRequest, reason: AccessDenialReason): Promise<void> {
    const { resourceType, resourceId, requires } = request;
    const emit = (count: number, of = request): Promise<void> =>
      this.#emit(context, accessDenied(context, of, reason, count));
    return this.#repeated.record({
      group: `denied ${nameOf(context)}`,
      key: JSON.stringify([resourceType, resourceId, requires, reason]),
      emit,
      emitOthers: (count) => emit(count, { requires, resourceType: 'several' }),
    });
  }

  authenticationFailed(scheme: string): Promise<void> {
    const emit = (count: number): Promise<void> =>
      this.#emitter.emit(
        Object.assign(new AuthenticationFailed(), { scheme, ...counted(count), timestamp: new Date() }),
      );
    return this.#repeated.record({ group: 'authentication', key: scheme, emit, emitOthers: emit });
  }

  async close(): Promise<void> {
    await this.#repeated.close();
    await this.#grants.close();
  }

  #grant(context: SecurityContext, request: AccessRequest): Promise<void> {
    const { resourceId, ...others } = request;
    const { resourceType, requires, filter } = others;
    const emit = (count: number, of = request): Promise<void> => this.#emit(context, accessGranted(context, of, count));
    return this.#grants.record({
      group: JSON.stringify([nameOf(context), resourceType, requires, filter]),
      key: JSON.stringify([resourceId]),
      emit,
      emitOthers: (count) => emit(count, others),
    });
  }

  /** Emits as the caller, so that the record has the caller's scope. */
  #emit(context: SecurityContext, event: ScopeContextEstablished | AccessGranted | AccessDenied): Promise<void> {
    return runAs(context, () => this.#emitter.emit(event));
  }
}

/** Identifies a caller, without its permissions, which can be long and change. */
function nameOf(context: SecurityContext): string {
  return scopeText(withoutPermissions(scopeOf(context))!);
}

function accessGranted({ scope }: SecurityContext, request: AccessRequest, count: number): AccessGranted {
  return Object.assign(new AccessGranted(), {
    resourceType: request.resourceType,
    resourceId: request.resourceId,
    usedPermission: request.requires,
    accessFilter: request.filter ?? ScopeFilters.None,
    scope,
    ...counted(count),
    timestamp: new Date(),
  });
}

function accessDenied(
  context: SecurityContext,
  request: AccessRequest,
  reason: AccessDenialReason,
  count: number,
): AccessDenied {
  return Object.assign(new AccessDenied(), {
    resourceType: request.resourceType,
    resourceId: request.resourceId,
    requiredPermission: request.requires,
    callerPermissions: context.permissions,
    callerRoles: context.roles,
    scope: context.scope,
    reason,
    ...counted(count),
    timestamp: new Date(),
  });
}

/** A record without a count represents one occurrence. */
function counted(count: number): { readonly count?: number } {
  return count === 1 ? {} : { count };
}
