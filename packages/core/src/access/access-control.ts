import {
  anonymous,
  currentSecurityContext,
  isGranted,
  permission,
  runAs,
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
import { requireDistinct, type Authenticator, type Headers } from './authenticator.js';
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

/** What stands before an endpoint. Without `requires`, everybody may pass who is known. */
export interface Gate extends Omit<AccessRequest, 'requires'> {
  readonly requires: Permission | null;
  /** Whether callers need not show who they are. */
  readonly allowAnonymous: boolean;
}

/** Longer credentials are refused unread: nobody needs one, and each costs memory and time. */
const longestCredential = 8 * 1024;

/** Finds out who callers are, decides what they may do, and tells the system stream of it. */
export class AccessControl {
  readonly authenticators: readonly Authenticator[];
  readonly #emitter: SystemEventEmitter;
  readonly #known = new KnownCredentials();

  constructor(authenticators: readonly Authenticator[], emitter: SystemEventEmitter) {
    requireDistinct(authenticators);
    this.authenticators = authenticators;
    this.#emitter = emitter;
  }

  /** Whether callers have no way to show who they are. Everybody may do everything then. */
  get isOpen(): boolean {
    return this.authenticators.length === 0;
  }

  /**
   * Finds out who sent a request. Null when it has no credential; one that is not valid is an `UnauthenticatedError`, and so are two
   * at once, which leave open who is meant. A credential that is checked, and not known from a moment ago, emits
   * `ScopeContextEstablished`.
   */
  async establish(headers: Headers): Promise<SecurityContext | null> {
    let found: { readonly authenticator: Authenticator; readonly credential: string } | undefined;
    for (const authenticator of this.authenticators) {
      const credential = authenticator.credentialIn(headers);
      if (credential === null) continue;
      if (found !== undefined) throw new UnauthenticatedError('Two credentials were sent. Send one.');
      found = { authenticator, credential };
    }
    return found === undefined ? null : await this.#authenticate(found.authenticator, found.credential);
  }

  /** Lets a caller pass a gate, or throws. Answers with whom to run as: the caller, or `anonymous`. */
  async admit(context: SecurityContext | null, { requires, allowAnonymous, ...gate }: Gate): Promise<SecurityContext> {
    if (context === null && !allowAnonymous) throw new UnauthenticatedError();
    const caller = context ?? anonymous;
    if (requires !== null) await this.authorize(caller, { ...gate, requires });
    return caller;
  }

  /** Lets a caller pass, or throws; whoever is turned away is told to the system stream first. */
  async authorize(context: SecurityContext | null, request: AccessRequest): Promise<void> {
    if (context === null || context === anonymous) throw new UnauthenticatedError();
    if (!isGranted(context.permissions, request.requires)) {
      await this.deny(context, request, AccessDenialReason.InsufficientPermission);
    }
    if (request.recordGrant === true) await this.#tell(context, accessGranted(context, request));
  }

  /** Turns a caller away, for a reason that a policy of the application's own has found. */
  async deny(context: SecurityContext, request: AccessRequest, reason: AccessDenialReason): Promise<never> {
    await this.#tell(context, accessDenied(context, request, reason));
    throw new AccessDeniedError(reason);
  }

  /** Whoever acts now may read the streams of the system. The host itself, for which nobody acts, always may. */
  async authorizeSystemRead(): Promise<void> {
    const context = currentSecurityContext();
    if (context !== null) await this.authorize(context, systemRead);
  }

  /** Whoever acts now may decide about what the system has put aside. The host itself always may. */
  async authorizeSystemWrite(): Promise<void> {
    const context = currentSecurityContext();
    if (context !== null) await this.authorize(context, systemWrite);
  }

  /** Has every credential checked anew: what its owner may do has changed. */
  forgetCredentials(): void {
    this.#known.clear();
  }

  #authenticate(authenticator: Authenticator, credential: string): Promise<SecurityContext> {
    if (credential.length > longestCredential) {
      return Promise.reject(new UnauthenticatedError('The credential is too long.', { scheme: authenticator.scheme }));
    }
    return this.#known.get(`${authenticator.scheme} ${credential}`, async () => {
      const authenticated = await authenticator.authenticate(credential);
      await this.#tell(authenticated.context, contextEstablished(authenticated.context));
      return authenticated;
    });
  }

  /** As the caller, so that the system event carries the caller's scope like everything else that the caller sets in motion. */
  #tell(context: SecurityContext, event: ScopeContextEstablished | AccessGranted | AccessDenied): Promise<void> {
    return runAs(context, () => this.#emitter.emit(event));
  }
}

const systemRead: AccessRequest = { requires: permission('system:read'), resourceType: 'system-stream' };
const systemWrite: AccessRequest = { requires: permission('system:write'), resourceType: 'dead-letter' };

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
