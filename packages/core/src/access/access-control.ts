import {
  currentSecurityContext,
  isGranted,
  permission,
  ScopeFilters,
  type Permission,
  type SecurityContext,
} from '../security/index.js';
import {
  AccessDenialReason,
  AccessDenied,
  AccessGranted,
  ScopeContextEstablished,
  type SystemEventEmitter,
} from '../system-events/index.js';
import { AccessDeniedError, UnauthenticatedError } from './access-errors.js';
import type { Authenticator, Headers } from './authenticator.js';
import { KnownCredentials } from './known-credentials.js';

/** What somebody wants to reach. */
export interface AccessRequest {
  readonly requires: Permission;
  readonly resourceType: string;
  readonly resourceId?: string;
  /** The filters that narrow down what is seen; told in `AccessGranted`. Default: none. */
  readonly filter?: ScopeFilters;
  /** Emits `AccessGranted` when access is granted. Default: false. */
  readonly recordGrant?: boolean;
}

/** Finds out who callers are, decides what they may do, and tells the system stream of it. */
export class AccessControl {
  readonly #authenticators: readonly Authenticator[];
  readonly #emitter: SystemEventEmitter;
  readonly #known = new KnownCredentials();

  constructor(authenticators: readonly Authenticator[], emitter: SystemEventEmitter) {
    this.#authenticators = authenticators;
    this.#emitter = emitter;
  }

  /** Whether callers have a way to show who they are. Without one, everybody may do everything. */
  get isOpen(): boolean {
    return this.#authenticators.length === 0;
  }

  /** The ways in which callers can show who they are. */
  get schemes(): readonly string[] {
    return this.#authenticators.map(({ scheme }) => scheme);
  }

  /**
   * Finds out who sent a request. Null when it has no credential; one that is not valid is an `UnauthenticatedError`. A credential
   * that is checked, and not known from a moment ago, emits `ScopeContextEstablished`.
   */
  async establish(headers: Headers): Promise<SecurityContext | null> {
    for (const authenticator of this.#authenticators) {
      const credential = authenticator.credentialIn(headers);
      if (credential !== null) return await this.#authenticate(authenticator, credential);
    }
    return null;
  }

  /** Lets a caller pass, or throws; whoever is turned away is told to the system stream first. */
  async authorize(context: SecurityContext | null, request: AccessRequest): Promise<void> {
    if (context === null) throw new UnauthenticatedError();
    if (!isGranted(context.permissions, request.requires)) {
      await this.deny(context, request, AccessDenialReason.InsufficientPermission);
    }
    if (request.recordGrant === true) await this.#emitter.emit(accessGranted(context, request));
  }

  /** Turns a caller away, for a reason that a policy of the application's own has found. */
  async deny(context: SecurityContext, request: AccessRequest, reason: AccessDenialReason): Promise<never> {
    await this.#emitter.emit(accessDenied(context, request, reason));
    throw new AccessDeniedError(reason);
  }

  /** Whoever acts now may read the streams of the system. The host itself, for which nobody acts, always may. */
  async authorizeSystemRead(): Promise<void> {
    const context = currentSecurityContext();
    if (context !== null) await this.authorize(context, systemRead);
  }

  async #authenticate(authenticator: Authenticator, credential: string): Promise<SecurityContext> {
    const key = `${authenticator.scheme} ${credential}`;
    const known = this.#known.find(key, Date.now());
    if (known !== null) return known;
    const authenticated = await authenticator.authenticate(credential);
    await this.#emitter.emit(contextEstablished(authenticated.context));
    this.#known.add(key, authenticated, Date.now());
    return authenticated.context;
  }
}

const systemRead: AccessRequest = { requires: permission('system:read'), resourceType: 'system-stream' };

function contextEstablished({ scope, roles, permissions, source }: SecurityContext): ScopeContextEstablished {
  return Object.assign(new ScopeContextEstablished(), { scope, roles, permissions, source, timestamp: new Date() });
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

function accessDenied(context: SecurityContext, request: AccessRequest, reason: AccessDenialReason): AccessDenied {
  return Object.assign(new AccessDenied(), {
    resourceType: request.resourceType,
    ...(request.resourceId !== undefined && { resourceId: request.resourceId }),
    requiredPermission: request.requires,
    callerPermissions: context.permissions,
    callerRoles: context.roles,
    scope: context.scope,
    reason,
    timestamp: new Date(),
  });
}
