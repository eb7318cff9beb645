import { describe, expect, it } from 'vitest';
import { permission } from './permission.js';
import {
  actsAsHost,
  anonymous,
  currentHostWork,
  currentSecurityContext,
  runAs,
  runAsHost,
  runWithoutCaller,
  scopeOf,
  type SecurityContext,
} from './security-context.js';

const as = (userId: string): SecurityContext => ({
  scope: { userId },
  roles: new Set(),
  permissions: new Set(),
  source: 'test',
});
const ofAcme: SecurityContext = { ...as('ann'), scope: { tenantId: 'acme', userId: 'ann' } };

it('applies to everything that was started in it, and to nothing else', async () => {
  const seen = await Promise.all(
    ['a', 'b'].map((user) =>
      runAs(as(user), async () => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        return currentSecurityContext()?.scope.userId;
      }),
    ),
  );
  expect(seen).toEqual(['a', 'b']);
  expect(currentSecurityContext()).toBeNull();
});

it('does not apply to work that runs without a caller', async () => {
  await runAs(as('a'), async () => {
    const later = runAsHost(async () => {
      await Promise.resolve();
      return currentSecurityContext();
    });
    expect(currentSecurityContext()?.scope.userId).toBe('a');
    expect(await later).toBeNull();
  });
});

describe.each([
  ['runAsHost', runAsHost],
  ['runWithoutCaller', runWithoutCaller],
])('%s', (_name, run) => {
  it('acts as the host within a request, in the database of the tenant of the caller', () => {
    const seen = (): unknown => [currentSecurityContext(), actsAsHost(), currentHostWork()?.tenantId];
    expect(runAs(ofAcme, () => run(seen))).toEqual([null, true, 'acme']);
    expect(runAs(ofAcme, () => run(() => run(seen)))).toEqual([null, true, 'acme']);
    expect(runAs(as('a'), () => run(seen))).toEqual([null, true, undefined]);
  });
});

it('acts as the host outside of a request only in runAsHost', () => {
  expect([actsAsHost(), runWithoutCaller(actsAsHost), runAsHost(actsAsHost), runAs(ofAcme, actsAsHost)]).toEqual([
    false,
    false,
    true,
    false,
  ]);
  expect([currentHostWork(), runAsHost(currentHostWork), runAs(ofAcme, currentHostWork)]).toEqual([null, null, null]);
});

describe('the values of a caller for envelopes', () => {
  it('contain the scope and everything that is known about the caller', () => {
    const caller: SecurityContext = {
      ...ofAcme,
      roles: new Set(['clerk', 'auditor']),
      permissions: new Set([permission('orders:read'), permission('orders:write')]),
      userName: 'Ann',
      homeTenantId: 'home',
      reactions: ['ShipOrder', 'SendInvoice'],
    };
    expect(scopeOf(caller)).toStrictEqual({
      tenantId: 'acme',
      userId: 'ann',
      userName: 'Ann',
      roles: 'clerk,auditor',
      permissions: 'orders:read,orders:write',
      homeTenantId: 'home',
      svcReactions: 'ShipOrder,SendInvoice',
      source: 'test',
    });
  });

  it('contain no names without a value', () => {
    expect(scopeOf(as('ann'))).toStrictEqual({ userId: 'ann', source: 'test' });
    expect(scopeOf(anonymous)).toStrictEqual({ source: 'anonymous' });
    expect(scopeOf(null)).toBeNull();
  });

  it('are one object for all messages of a caller', () => {
    expect(scopeOf(ofAcme)).toBe(scopeOf(ofAcme));
  });
});
