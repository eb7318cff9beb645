import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { actsAsHost, anonymous, permission, runAs, ScopeFilters, type SecurityContext } from '../security/index.js';
import { AccessDenied, AccessGranted, AuthenticationFailed, NoOpSystemEventEmitter } from '../system-events/index.js';
import { AccessControl, type TenantMode } from './access-control.js';
import { AuthenticationUnavailableError, UnauthenticatedError } from './access-errors.js';
import type { Gate } from './access-request.js';
import type { Authenticator } from './authenticator.js';

const ann: SecurityContext = {
  scope: { userId: 'ann' },
  roles: new Set(),
  permissions: new Set([permission('orders:write')]),
  source: 'test',
};

const by = (scheme: string, header?: string): Authenticator => ({
  scheme,
  ...(header !== undefined && { header }),
  credentialIn: (headers) => headers(header ?? 'authorization') ?? null,
  authenticate: () => Promise.resolve({ context: ann }),
});

let emitted: object[];
let failedSchemes: string[];
beforeEach(() => {
  emitted = [];
  failedSchemes = [];
});

const accessWith = (tenants: TenantMode | null, ...authenticators: Authenticator[]): AccessControl => {
  const emitter = Object.assign(new NoOpSystemEventEmitter(), {
    emit: (event: object) => Promise.resolve(void emitted.push(event)),
  });
  const onAuthenticationFailed = (scheme: string): void => void failedSchemes.push(scheme);
  const control = new AccessControl(authenticators, emitter, { tenants, onAuthenticationFailed, report: () => {} });
  onTestFinished(() => control.close());
  return control;
};
const access = (...authenticators: Authenticator[]): AccessControl => accessWith(null, ...authenticators);

it.each([
  ['one header', by('A', 'x-key'), by('B', 'X-Key')],
  ['one scheme', by('Bearer'), by('bearer')],
])('rejects two authenticators for %s, which would reject the credentials of each other', (_name, a, b) => {
  expect(() => access(a, b)).toThrow(expect.objectContaining({ code: 'SVC_INVALID_AUTHENTICATION' }));
  expect(access(by('Bearer'), by('Basic'), by('ApiKey', 'x-key')).authenticators).toHaveLength(3);
});

it('establishes no caller without a credential', async () => {
  await expect(access(by('Bearer')).establish(() => undefined)).resolves.toBeNull();
  expect(access().isOpen).toBe(true);
});

it('runs work that belongs to no caller as the host, and enters a context only where one is needed', () => {
  for (const control of [access(), access(by('Bearer'))]) {
    const actor = (): SecurityContext | null => control.actor;
    expect(control.runAsHost(actor)).toBeNull();
    expect(runAs(ann, () => control.runAsHost(actor))).toBeNull();
    expect(control.runAsHost(actsAsHost)).toBe(!control.isOpen);
  }
});

it('treats code without a caller as anonymous with authentication, and as the host without', () => {
  expect([access(by('Bearer')).actor, access().actor]).toEqual([anonymous, null]);
  expect(runAs(ann, () => [access(by('Bearer')).actor, access().actor])).toEqual([ann, ann]);
});

it('rejects a credential of more than 8 KiB without calling the authenticator', async () => {
  const headers = (length: number) => (name: string) => (name === 'authorization' ? 'x'.repeat(length) : undefined);
  await expect(access(by('Bearer')).establish(headers(8192))).resolves.toBe(ann);
  await expect(access(by('Bearer')).establish(headers(8193))).rejects.toMatchObject({
    code: 'SVC_UNAUTHENTICATED',
    scheme: 'Bearer',
  });
});

const unknown = { code: 'SVC_UNAUTHENTICATED', scheme: null };
const writing = { requires: permission('orders:write'), resourceType: 'test' };
const gate = (requires: string | null, allowAnonymous = false): Gate => ({
  requires: requires === null ? null : permission(requires),
  allowAnonymous,
  resourceType: 'test',
});

it('admits callers that meet the rules of a gate, and returns the context to run in', async () => {
  const control = access(by('Bearer'));
  await expect(control.admit(ann, gate(null))).resolves.toBe(ann);
  await expect(control.admit(ann, gate('orders:write'))).resolves.toBe(ann);
  await expect(control.admit(null, gate(null, true))).resolves.toBe(anonymous);
  await expect(control.admit(null, gate(null))).rejects.toMatchObject(unknown);
  await expect(control.admit(null, gate('orders:write'))).rejects.toMatchObject(unknown);
  await expect(control.admit(ann, gate('orders:delete'))).rejects.toMatchObject({
    code: 'SVC_ACCESS_DENIED',
    reason: 'InsufficientPermission',
  });
});

it.each([[anonymous], [null]])(
  'asks callers that are not known to authenticate instead of denying access (%j)',
  async (caller) => {
    const control = access(by('Bearer'));
    await expect(control.authorize(caller, writing)).rejects.toMatchObject(unknown);
  },
);

it('rejects two credentials in one request', async () => {
  const both = access(by('Bearer'), by('ApiKey', 'x-key'));
  await expect(both.establish(() => 'x')).rejects.toMatchObject(unknown);
  await expect(both.establish((name) => (name === 'x-key' ? 'x' : undefined))).resolves.toBe(ann);
});

describe('a failed authentication', () => {
  const failing = (failure: Error): Authenticator => ({ ...by('Bearer'), authenticate: () => Promise.reject(failure) });

  it('is reported and recorded if the credential is invalid', async () => {
    await expect(access(failing(new UnauthenticatedError())).establish(() => 'x')).rejects.toMatchObject(unknown);
    expect(failedSchemes).toEqual(['Bearer']);
    expect(emitted).toEqual([expect.any(AuthenticationFailed)]);
  });

  it('is neither reported nor recorded if the credential cannot be checked', async () => {
    const control = access(failing(new AuthenticationUnavailableError()));
    await expect(control.establish(() => 'x')).rejects.toMatchObject({ code: 'SVC_AUTHENTICATION_UNAVAILABLE' });
    expect([failedSchemes, emitted]).toEqual([[], []]);
  });

  it('names the scheme if the scope of the caller is invalid, with the reason as its cause', async () => {
    const context = { ...ann, scope: { extensions: { tenantId: 'acme' } } };
    const control = access({ ...by('Bearer'), authenticate: () => Promise.resolve({ context }) });
    await expect(control.establish(() => 'x')).rejects.toMatchObject({
      code: 'SVC_UNAUTHENTICATED',
      scheme: 'Bearer',
      cause: { code: 'SVC_INVALID_SCOPE' },
    });
    expect(failedSchemes).toEqual(['Bearer']);
  });
});

it('checks credentials again, and calls back, after permissions have changed', async () => {
  let checks = 0;
  const counting: Authenticator = {
    ...by('Bearer'),
    authenticate: () => Promise.resolve({ context: { ...ann, source: `check ${++checks}` } }),
  };
  const control = access(counting);
  let changes = 0;
  control.onPermissionsChanged(() => changes++);
  const headers = (name: string): string | undefined => (name === 'authorization' ? 'x' : undefined);
  await control.establish(headers);
  await expect(control.establish(headers)).resolves.toMatchObject({ source: 'check 1' });
  control.forgetCredentials();
  await expect(control.establish(headers)).resolves.toMatchObject({ source: 'check 2' });
  expect(changes).toBe(1);
});

describe('a recorded grant', () => {
  const granted = { usedPermission: 'orders:write', resourceType: 'test' };

  it('is emitted for a gate that asks for it', async () => {
    const control = access(by('Bearer'));
    await control.admit(ann, gate('orders:write'));
    expect(emitted).toEqual([]);
    await control.admit(ann, { ...gate('orders:write'), recordGrant: true });
    expect(emitted).toMatchObject([granted]);
  });

  it('is not emitted for a gate without a permission: there is none to record', async () => {
    await access(by('Bearer')).admit(ann, { ...gate(null), recordGrant: true });
    expect(emitted).toEqual([]);
  });

  it('is emitted for a request that asks for it', async () => {
    const control = access(by('Bearer'));
    await control.authorize(ann, writing);
    await control.authorize(ann, { ...writing, recordGrant: false });
    expect(emitted).toEqual([]);
    await control.authorize(ann, { ...writing, recordGrant: true });
    expect(emitted).toMatchObject([granted]);
  });
});

describe('a gate with a scope', () => {
  const scope = ScopeFilters.Tenant;
  const violation = { code: 'SVC_ACCESS_DENIED', reason: 'ScopeViolation' };

  it.each([
    [null, 'tenants:act'],
    ['orders:write', 'orders:write'],
  ])('denies callers without the value; the record names the permission: %s %s', async (required, recorded) => {
    await expect(access(by('Bearer')).admit(ann, { ...gate(required), scope })).rejects.toMatchObject(violation);
    expect(emitted).toMatchObject([{ resourceType: 'test', requiredPermission: recorded, reason: 'ScopeViolation' }]);
  });

  it('asks anonymous callers to authenticate', async () => {
    await expect(access(by('Bearer')).admit(null, { ...gate(null, true), scope })).rejects.toMatchObject(unknown);
    expect(emitted).toEqual([]);
  });
});

const operator = (...permissions: string[]): SecurityContext => ({
  ...ann,
  scope: { tenantId: 'acme', userId: 'ann' },
  permissions: new Set(permissions.map(permission)),
});

describe('a caller that names a tenant', () => {
  it('names it in the header svc-tenant', async () => {
    const caller = operator('tenants:act');
    const control = access({ ...by('Bearer'), authenticate: () => Promise.resolve({ context: caller }) });
    const sent: Record<string, string> = { authorization: 'x', 'svc-tenant': 'evil' };
    await expect(control.establish((name) => sent[name])).resolves.toMatchObject({ scope: { tenantId: 'evil' } });
    delete sent['svc-tenant'];
    await expect(control.establish((name) => sent[name])).resolves.toBe(caller);
  });

  it('acts for its own tenant without a permission and without a record', async () => {
    const caller = operator();
    await expect(access(by('Bearer')).actFor(caller, 'acme')).resolves.toBe(caller);
    expect(emitted).toEqual([]);
  });

  it.each(['tenants:act', 'tenants:*'])('acts for another tenant with %s', async (held) => {
    const acting = await access(by('Bearer')).actFor(operator(held, 'orders:read'), 'evil');
    expect(acting).toMatchObject({ scope: { tenantId: 'evil', userId: 'ann' }, homeTenantId: 'acme' });
    expect(emitted).toMatchObject([{ resourceType: 'tenant', resourceId: 'evil', usedPermission: 'tenants:act' }]);
  });

  it.each(['*:*', 'tenants:read'])('does not act for another tenant with %s', async (held) => {
    await expect(access(by('Bearer')).actFor(operator(held), 'evil')).rejects.toMatchObject({
      reason: 'ScopeViolation',
    });
    expect(emitted).toEqual([expect.any(AccessDenied)]);
  });

  it('has an empty home tenant if it has none', async () => {
    const caller = { ...operator('tenants:act'), scope: { userId: 'ann' } };
    await expect(access(by('Bearer')).actFor(caller, 'evil')).resolves.toMatchObject({ homeTenantId: '' });
  });

  it('must name one of 1 to 200 ASCII characters', async () => {
    const act = (tenant: string) => access(by('Bearer')).actFor(operator('tenants:act'), tenant);
    await expect(act('x'.repeat(200))).resolves.toMatchObject({ homeTenantId: 'acme' });
    for (const tenant of ['', 'x'.repeat(201), 'tänant', 'a\nb'])
      await expect(act(tenant)).rejects.toMatchObject({ code: 'SVC_INVALID_TENANT' });
  });
});

describe('the records of system streams', () => {
  const reading = (tenants: TenantMode | null, caller: SecurityContext): Promise<string | null> =>
    runAs(caller, () => accessWith(tenants, by('Bearer')).authorizeSystemRead());

  it('are those of the tenant of the caller', async () => {
    await expect(reading(null, operator('system:read'))).resolves.toBe('acme');
    await expect(reading(null, { ...operator('system:read'), scope: {} })).resolves.toBe('');
    await expect(reading(null, operator('orders:read'))).rejects.toMatchObject({ code: 'SVC_ACCESS_DENIED' });
    expect(emitted).toMatchObject([{ requiredPermission: 'system:read', resourceType: 'system-stream' }]);
  });

  it('are all if the tenants are shared, or if the host reads them', async () => {
    await expect(reading('shared', operator('system:read'))).resolves.toBeNull();
    const control = access(by('Bearer'));
    await expect(control.runAsHost(() => control.authorizeSystemRead())).resolves.toBeNull();
    expect(emitted).toEqual([]);
  });

  it('are all for a platform operator, except while it acts for a tenant', async () => {
    const caller = operator('system:read', 'tenants:act');
    await expect(reading(null, caller)).resolves.toBeNull();
    expect(emitted).toMatchObject([{ usedPermission: 'tenants:act', resourceType: 'system-stream' }]);
    await expect(reading(null, { ...caller, homeTenantId: 'home' })).resolves.toBe('acme');
    expect(emitted).toHaveLength(1);
  });

  it('need another permission than dead letters, and are recorded of their own', async () => {
    const control = access(by('Bearer'));
    const write = (...permissions: string[]) => runAs(operator(...permissions), () => control.authorizeSystemWrite());
    await expect(write('system:read')).rejects.toMatchObject({ code: 'SVC_ACCESS_DENIED' });
    expect(emitted).toMatchObject([{ requiredPermission: 'system:write', resourceType: 'dead-letter' }]);
    const all = operator('system:*', 'tenants:act');
    await runAs(all, () => control.authorizeSystemRead());
    await runAs(all, () => control.authorizeSystemWrite());
    const grants = emitted.filter((event) => event instanceof AccessGranted);
    expect(grants.map(({ resourceType }) => resourceType)).toEqual(['system-stream', 'dead-letter']);
  });
});

it.each<[TenantMode | null, boolean, boolean, boolean]>([
  [null, false, true, false],
  [null, true, true, true],
  ['isolated', false, true, true],
  ['isolated', true, true, true],
  ['shared', false, false, false],
  ['shared', true, false, false],
])('with the tenant mode %s and authentication %s, isolates %s and marks %s', (tenants, isSecured, isolates, marks) => {
  const control = isSecured ? accessWith(tenants, by('Bearer')) : accessWith(tenants);
  expect([control.isolatesTenants, control.marksTenants]).toEqual([isolates, marks]);
});

it('lets the host reach all streams, without a check and without a record', async () => {
  const { tenant, authorizeSystemRead, recordForeign } = access(by('Bearer')).reachOf(null);
  await recordForeign('stream', 'x');
  expect([tenant, await authorizeSystemRead(), emitted]).toEqual([null, null, []]);
});

it('limits the streams that a caller reaches to its tenant, unless the tenants are shared', () => {
  const reached = (tenants: TenantMode | null): string | null =>
    accessWith(tenants, by('Bearer')).reachOf(operator()).tenant;
  expect([reached(null), reached('isolated'), reached('shared')]).toEqual(['acme', 'acme', null]);
});
