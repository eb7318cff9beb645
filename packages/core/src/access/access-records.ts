import { scopeText } from '../messages/index.js';
import { runAs, scopeOf, ScopeFilters, type SecurityContext } from '../security/index.js';
import {
  AccessDenied,
  AccessGranted,
  AuthenticationFailed,
  RepeatedRecords,
  ScopeContextEstablished,
  type AccessDenialReason,
  type SystemEventEmitter,
} from '../system-events/index.js';
import type { AccessRequest } from './access-control.js';

/** Emits what access control decides. What a caller can repeat at will is emitted once a minute, with how often it happened. */
export class AccessRecords {
  readonly #emitter: SystemEventEmitter;
  readonly #repeated: RepeatedRecords;

  constructor(emitter: SystemEventEmitter, report: (error: unknown) => void) {
    this.#emitter = emitter;
    this.#repeated = new RepeatedRecords(report);
  }

  established(context: SecurityContext): Promise<void> {
    const { scope, roles, permissions, source } = context;
    const timestamp = new Date();
    return this.#emit(
      context,
      Object.assign(new ScopeContextEstablished(), { scope, roles, permissions, source, timestamp }),
    );
  }

  granted(context: SecurityContext, request: AccessRequest): Promise<void> {
    return this.#emit(context, accessGranted(context, request));
  }

  /** A caller was let into what belongs to another tenant. */
  crossed(context: SecurityContext, request: AccessRequest): Promise<void> {
    const emit = (): Promise<void> => this.granted(context, request);
    const key = JSON.stringify([request.resourceType, request.resourceId ?? '']);
    return this.#repeated.record({ group: `crossed ${nameOf(context)}`, key, emit, emitOthers: emit });
  }

  denied(context: SecurityContext, request: AccessRequest, reason: AccessDenialReason): Promise<void> {
    const { resourceType, resourceId = '', requires } = request;
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
    const emit = (count: number): Promise<void> => {
      const counted = count === 1 ? {} : { count };
      return this.#emitter.emit(
        Object.assign(new AuthenticationFailed(), { scheme, ...counted, timestamp: new Date() }),
      );
    };
    return this.#repeated.record({ group: 'authentication', key: scheme, emit, emitOthers: emit });
  }

  close(): Promise<void> {
    return this.#repeated.close();
  }

  /** As the caller, so that the record carries the caller's scope like everything else that the caller sets in motion. */
  #emit(context: SecurityContext, event: ScopeContextEstablished | AccessGranted | AccessDenied): Promise<void> {
    return runAs(context, () => this.#emitter.emit(event));
  }
}

function nameOf(context: SecurityContext): string {
  return scopeText(scopeOf(context)!);
}

function accessGranted({ scope }: SecurityContext, request: AccessRequest): AccessGranted {
  return Object.assign(new AccessGranted(), {
    resourceType: request.resourceType,
    ...(request.resourceId !== undefined && { resourceId: request.resourceId }),
    usedPermission: request.requires,
    accessFilter: request.filter ?? ScopeFilters.None,
    scope,
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
    ...(request.resourceId !== undefined && { resourceId: request.resourceId }),
    requiredPermission: request.requires,
    callerPermissions: context.permissions,
    callerRoles: context.roles,
    scope: context.scope,
    reason,
    ...(count > 1 && { count }),
    timestamp: new Date(),
  });
}
