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
 * Whether callers can reach the data of other tenants. `isolated`: callers reach the streams and models of their own tenant only, and events
 * of the host belong to the tenant of their stream. `shared`: all callers reach all data.
 */
export type TenantMode = 'isolated' | 'shared';

/** Options of `AccessControl`. */
export interface AccessControlOptions {
  /** Default: `isolated`; without authentication, events of the host are not marked with the tenant of their stream. */
  readonly tenants?: TenantMode | null;
  /** Called for every rejected credential. Default: nothing. */
  readonly onAuthenticationFailed?: (scheme: string) => void;
  /** Called with errors that belong to no request. */
  readonly report: (error: unknown) => void;
}

/** Longer credentials are rejected before they are checked: each costs memory and time. */
export const longestCredential = 8 * 1024;

/** Authenticates and authorizes callers, and emits security events to the system stream. */
export class AccessControl implements StreamGuard {
  readonly authenticators: readonly Authenticator[];
  /** Whether callers reach only the streams and models of their own tenant. */
  readonly isolatesTenants: boolean;
  /** Whether events of the host, and of other hosts, are checked against and marked with the tenant of their stream. */
  readonly marksTenants: boolean;
  readonly #records: AccessRecords;
  readonly #known = new KnownCredentials();
  readonly #onAuthenticationFailed: (scheme: string) => void;
  readonly #reaches = new WeakMap<SecurityContext, StreamReach>();
  readonly #changeListeners = new Set<() => void>();

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

  /** Whether no authentication is configured. Then every caller may do everything. */
  get isOpen(): boolean {
    return this.authenticators.length === 0;
  }

  /**
   * The current actor: a caller, or null for the host itself. With authentication, code outside of every context acts as `anonymous`; only
   * code in `runAsHost` acts as the host.
   */
  get actor(): SecurityContext | null {
    const context = currentSecurityContext();
    return context !== null || this.isOpen || actsAsHost() ? context : anonymous;
  }

  /** Runs work that belongs to no caller. In an open service, code without a caller already acts as the host. */
  runAsHost<T>(action: () => T): T {
    return this.isOpen ? runWithoutCaller(action) : runAsHost(action);
  }

  /** The streams that the current actor can reach: those of its own tenant. The host, and every caller of an open service, reaches all. */
  get reach(): StreamReach {
    return this.reachOf(this.actor);
  }

  /** The streams that an actor can reach; null for the host. */
  reachOf(actor: SecurityContext | null): StreamReach {
    if (actor === null) return everything;
    let reach = this.#reaches.get(actor);
    if (reach === undefined) this.#reaches.set(actor, (reach = this.#newReach(actor)));
    return reach;
  }

  /**
   * Authenticates a request. Resolves with null if it has no credential; throws `UnauthenticatedError` if that is invalid, or if there are two.
   * Emits `ScopeContextEstablished` unless the credential is cached. A caller that names another tenant acts for it, if permitted.
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

  /** Admits a caller to an endpoint, or throws. Resolves with the context to run in: that of the caller, or `anonymous`. */
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

  /** Throws, after it has emitted `AccessDenied`, unless the caller has the required permission. */
  async authorize(context: SecurityContext | null, request: AccessRequest): Promise<void> {
    if (context === null || context === anonymous) throw new UnauthenticatedError();
    if (!isGranted(context.permissions, request.requires)) {
      await this.deny(context, request, AccessDenialReason.InsufficientPermission);
    }
    if (request.recordGrant === true) await this.recordGrant(context, request);
  }

  /** Emits or counts an `AccessGranted`. Rejects if that fails: data must not be shown without a record. */
  recordGrant(context: SecurityContext, request: AccessRequest): Promise<void> {
    return this.#records.granted(context, request);
  }

  /** Emits `AccessDenied`, then throws `AccessDeniedError`. */
  async deny(context: SecurityContext, request: AccessRequest, reason: AccessDenialReason): Promise<never> {
    await this.#records.denied(context, request, reason);
    throw new AccessDeniedError(reason);
  }

  /** Authorizes reading system streams. Resolves with the tenant whose records the actor may see, '' for none; null: all. */
  authorizeSystemRead(): Promise<string | null> {
    return this.#authorizeSystem(this.actor, systemRead);
  }

  /** Authorizes replaying and discarding dead letters. Resolves with the tenant of the dead letters, '' for none; null: all. */
  authorizeSystemWrite(): Promise<string | null> {
    return this.#authorizeSystem(this.actor, systemWrite);
  }

  /** Clears the cache of credentials, because permissions have changed. */
  forgetCredentials(): void {
    this.#known.clear();
    for (const changed of this.#changeListeners) changed();
  }

  /** Calls back whenever permissions have changed, so that decisions of longer duration are made again. */
  onPermissionsChanged(changed: () => void): void {
    this.#changeListeners.add(changed);
  }

  /** Emits the counts that are not emitted yet. */
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
    // A platform operator that acts for no particular tenant sees the records of all.
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
