import {
  actsAsHost,
  anonymous,
  currentSecurityContext,
  isGranted,
  permission,
  runAsHost,
  runWithoutCaller,
  scopeCondition,
  ScopeFilters,
  type SecurityContext,
} from '../security/index.js';
import type { StreamGuard, StreamReach } from '../storage/index.js';
import { AccessDenialReason, type SystemEventEmitter } from '../system-events/index.js';
import { AccessDeniedError, UnauthenticatedError } from './access-errors.js';
import { AccessRecords } from './access-records.js';
import { actForTenants, actingFor, mayActForTenants, requireTenantId, tenantHeader } from './acting-for-tenant.js';
import type { AccessRequest, Gate } from './access-request.js';
import { requireDistinct, type Authenticator, type Headers } from './authenticator.js';
import { KnownCredentials } from './known-credentials.js';
import { validated } from './validated.js';

/**
 * Who reaches what of other tenants. `isolated`: callers reach the streams and models of their own tenant, and events of the host count for
 * the tenant of their stream. `shared`: everyone reaches everything.
 */
export type TenantMode = 'isolated' | 'shared';

export interface AccessControlOptions {
  /** Default: `isolated`; where callers cannot authenticate, events of the host are not marked with the tenant of their stream. */
  readonly tenants?: TenantMode | null;
  /** Called for every credential that was rejected. Default: nothing. */
  readonly onAuthenticationFailed?: (scheme: string) => void;
  /** Called with failures that belong to no caller. */
  readonly report: (error: unknown) => void;
}

/** Longer credentials are rejected unread: each costs memory and time. */
export const longestCredential = 8 * 1024;

/** Authenticates callers, decides what they may do, and emits the records of it to the system stream. */
export class AccessControl implements StreamGuard {
  readonly authenticators: readonly Authenticator[];
  /** Whether callers reach the streams and models of their own tenant alone. */
  readonly isolatesTenants: boolean;
  /** Whether events of the host, and of other hosts, are checked against and marked with the tenant of their stream. */
  readonly marksTenants: boolean;
  readonly #records: AccessRecords;
  readonly #known = new KnownCredentials();
  readonly #onAuthenticationFailed: (scheme: string) => void;
  readonly #reaches = new WeakMap<SecurityContext, StreamReach>();

  constructor(
    authenticators: readonly Authenticator[],
    emitter: SystemEventEmitter,
    { tenants = null, onAuthenticationFailed = () => {}, report }: AccessControlOptions,
  ) {
    requireDistinct(authenticators);
    this.authenticators = authenticators;
    this.isolatesTenants = tenants !== 'shared';
    this.marksTenants = tenants === 'isolated' || (tenants === null && authenticators.length > 0);
    this.#records = new AccessRecords(emitter, report);
    this.#onAuthenticationFailed = onAuthenticationFailed;
  }

  /** Whether callers have no way to authenticate. Then every caller may do everything. */
  get isOpen(): boolean {
    return this.authenticators.length === 0;
  }

  /**
   * Who acts now: a caller, or null for the host itself. Where callers authenticate, code that runs in no context acts as `anonymous`;
   * only `runAsHost` makes it the host.
   */
  get actor(): SecurityContext | null {
    const context = currentSecurityContext();
    return context !== null || this.isOpen || actsAsHost() ? context : anonymous;
  }

  /** Runs work that serves everybody. Without a caller, code of an open service acts as the host already. */
  runAsHost<T>(action: () => T): T {
    return this.isOpen ? runWithoutCaller(action) : runAsHost(action);
  }

  /** Which streams the current actor can reach: those of its own tenant. The host reaches all, and so does every caller of an open service. */
  get reach(): StreamReach {
    return this.reachOf(this.actor);
  }

  /** The same for any actor, null for the host. */
  reachOf(actor: SecurityContext | null): StreamReach {
    if (actor === null) return everything;
    let reach = this.#reaches.get(actor);
    if (reach === undefined) this.#reaches.set(actor, (reach = this.#newReach(actor)));
    return reach;
  }

  /**
   * Authenticates a request. Null when it has no credential; one that is not valid is an `UnauthenticatedError`, and so are two at once.
   * A credential that is checked, and not known from a moment ago, emits `ScopeContextEstablished`. A caller that names another tenant
   * acts for that one, if it may.
   */
  async establish(headers: Headers): Promise<SecurityContext | null> {
    let found: { readonly authenticator: Authenticator; readonly credential: string } | undefined;
    for (const authenticator of this.authenticators) {
      const credential = authenticator.credentialIn(headers);
      if (credential === null) continue;
      if (found !== undefined) throw new UnauthenticatedError('Two credentials were sent. Send one.');
      found = { authenticator, credential };
    }
    if (found === undefined) return null;
    const context = await this.#authenticate(found.authenticator, found.credential);
    const tenantId = headers(tenantHeader);
    return tenantId === undefined ? context : await this.actFor(context, tenantId);
  }

  /** The context in which a caller acts for another tenant. Emits `AccessGranted`, once a minute, or denies. */
  async actFor(context: SecurityContext, tenantId: string): Promise<SecurityContext> {
    requireTenantId(tenantId);
    if (context.scope.tenantId === tenantId) return context;
    const request: AccessRequest = { requires: actForTenants, resourceType: 'tenant', resourceId: tenantId };
    if (!mayActForTenants(context)) return await this.deny(context, request, AccessDenialReason.ScopeViolation);
    const acting = actingFor(context, tenantId);
    await this.#records.crossed(acting, request);
    return acting;
  }

  /** Lets a caller pass a gate, or throws. Answers with the context to run in: the caller's, or `anonymous`. */
  async admit(
    context: SecurityContext | null,
    { requires, allowAnonymous, scope = ScopeFilters.None, recordGrant = false, ...gate }: Gate,
  ): Promise<SecurityContext> {
    if (context === null && !allowAnonymous) throw new UnauthenticatedError();
    const caller = context ?? anonymous;
    if (requires !== null) await this.authorize(caller, { ...gate, requires });
    if (scope !== ScopeFilters.None)
      await this.#requireScope(caller, scope, { ...gate, requires: requires ?? actForTenants });
    if (recordGrant && requires !== null) await this.recordGrant(caller, { ...gate, requires });
    return caller;
  }

  /** Lets a caller pass, or throws after it has emitted `AccessDenied`. */
  async authorize(context: SecurityContext | null, request: AccessRequest): Promise<void> {
    if (context === null || context === anonymous) throw new UnauthenticatedError();
    if (!isGranted(context.permissions, request.requires)) {
      await this.deny(context, request, AccessDenialReason.InsufficientPermission);
    }
    if (request.recordGrant === true) await this.recordGrant(context, request);
  }

  /** Emits `AccessGranted` for what a caller was let into, or counts it. What is not recorded must not be shown: it rejects then. */
  recordGrant(context: SecurityContext, request: AccessRequest): Promise<void> {
    return this.#records.granted(context, request);
  }

  /** Rejects a caller, for a reason that a policy of the application has found. */
  async deny(context: SecurityContext, request: AccessRequest, reason: AccessDenialReason): Promise<never> {
    await this.#records.denied(context, request, reason);
    throw new AccessDeniedError(reason);
  }

  /** The current actor may read the streams of the system. Resolves with the tenant whose records it may see, '' for none; null: all. */
  authorizeSystemRead(): Promise<string | null> {
    return this.#authorizeSystem(this.actor, systemRead);
  }

  /** The current actor may replay and discard dead letters: those of the tenant it resolves with, '' for none; null: all. */
  authorizeSystemWrite(): Promise<string | null> {
    return this.#authorizeSystem(this.actor, systemWrite);
  }

  /** Checks every credential again: what its owner may do has changed. */
  forgetCredentials(): void {
    this.#known.clear();
  }

  /** Emits what was counted and not emitted yet. */
  close(): Promise<void> {
    return this.#records.close();
  }

  #newReach(actor: SecurityContext): StreamReach {
    return {
      tenant: this.isolatesTenants ? tenantOf(actor) : null,
      authorizeSystemRead: () => this.#authorizeSystem(actor, systemRead),
      recordForeign: (resourceType, resourceId) =>
        this.#records.denied(
          actor,
          { requires: actForTenants, resourceType, resourceId },
          AccessDenialReason.ScopeViolation,
        ),
    };
  }

  async #authorizeSystem(actor: SecurityContext | null, request: AccessRequest): Promise<string | null> {
    if (actor === null) return null;
    await this.authorize(actor, request);
    if (!this.isolatesTenants) return null;
    // A platform operator that acts for no tenant in particular sees the records of all.
    if (!mayActForTenants(actor) || actor.homeTenantId !== undefined) return tenantOf(actor);
    await this.#records.crossed(actor, { ...request, requires: actForTenants });
    return null;
  }

  async #requireScope(caller: SecurityContext, scope: ScopeFilters, request: AccessRequest): Promise<void> {
    if (caller === anonymous) throw new UnauthenticatedError();
    try {
      scopeCondition(scope, caller.scope);
    } catch {
      await this.deny(caller, { ...request, filter: scope }, AccessDenialReason.ScopeViolation);
    }
  }

  #authenticate(authenticator: Authenticator, credential: string): Promise<SecurityContext> {
    const { scheme } = authenticator;
    return this.#known.get(`${scheme} ${credential}`, async () => {
      try {
        if (credential.length > longestCredential) {
          throw new UnauthenticatedError('The credential is too long.', { scheme });
        }
        const authenticated = validated(await authenticator.authenticate(credential), scheme);
        await this.#records.established(authenticated.context);
        return authenticated;
      } catch (error) {
        if (error instanceof UnauthenticatedError) await this.#failed(scheme);
        throw error;
      }
    });
  }

  async #failed(scheme: string): Promise<void> {
    this.#onAuthenticationFailed(scheme);
    await this.#records.authenticationFailed(scheme);
  }
}

function tenantOf({ scope }: SecurityContext): string {
  return scope.tenantId ?? '';
}

const everything: StreamReach = {
  tenant: null,
  authorizeSystemRead: () => Promise.resolve(null),
  recordForeign: () => Promise.resolve(),
};

const systemRead: AccessRequest = { requires: permission('system:read'), resourceType: 'system-stream' };
const systemWrite: AccessRequest = { requires: permission('system:write'), resourceType: 'dead-letter' };
