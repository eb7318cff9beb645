import { expect, it } from 'vitest';
import { actsAsHost, anonymous, permission, runAs, type SecurityContext } from '../security/index.js';
import { NoOpSystemEventEmitter } from '../system-events/index.js';
import { AccessControl } from './access-control.js';
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

const access = (...authenticators: Authenticator[]): AccessControl =>
  new AccessControl(authenticators, new NoOpSystemEventEmitter(), { report: () => {} });

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

it('rejects a credential of more than 8 KiB without calling the authenticator', async () => {
  const headers = (length: number) => (name: string) => (name === 'authorization' ? 'x'.repeat(length) : undefined);
  await expect(access(by('Bearer')).establish(headers(8192))).resolves.toBe(ann);
  await expect(access(by('Bearer')).establish(headers(8193))).rejects.toMatchObject({
    code: 'SVC_UNAUTHENTICATED',
    scheme: 'Bearer',
  });
});

const unknown = { code: 'SVC_UNAUTHENTICATED', scheme: null };
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

it('asks anonymous callers to authenticate instead of denying access', async () => {
  const request = { requires: permission('orders:write'), resourceType: 'test' };
  await expect(access(by('Bearer')).authorize(anonymous, request)).rejects.toMatchObject(unknown);
});
