import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { audience, claimsOf, issuerName, signed } from '../testing/issuer.js';
import { identityOfClaims, jwtAuthentication, type JwtOptions } from '@svc/http';

const secret = randomBytes(32);

async function contextOf(claims: Record<string, unknown>, options: Partial<JwtOptions> = {}) {
  const authenticator = jwtAuthentication({ issuer: issuerName, audience, secret, ...options });
  const { context } = await authenticator.authenticate(await signed(claimsOf(claims), secret, 'HS256'));
  return { ...context, roles: [...context.roles], permissions: [...context.permissions] };
}

describe('the claims of a token', () => {
  it('contain the user, the tenant and the permissions', async () => {
    const claims = {
      sub: 'u-1',
      name: 'Ann Lee',
      tenant_id: 'acme',
      roles: ['clerk', 'auditor'],
      permissions: ['orders:write', 'orders:*'],
    };
    expect(await contextOf(claims)).toEqual({
      scope: { userId: 'u-1', tenantId: 'acme' },
      userName: 'Ann Lee',
      roles: ['clerk', 'auditor'],
      permissions: ['orders:write', 'orders:*'],
      source: 'jwt',
    });
  });

  it('may have alternative names', async () => {
    const claims = { tenantId: 'acme', preferred_username: 'ann', scope: 'openid orders:read  profile *:write x:y:z' };
    expect(await contextOf(claims)).toMatchObject({
      scope: { tenantId: 'acme' },
      userName: 'ann',
      permissions: ['orders:read', '*:write'],
    });
  });

  it('may be mapped by a function, also an asynchronous one', async () => {
    const identity: JwtOptions['identity'] = async ({ sub, groups }) => {
      await Promise.resolve();
      return { scope: { userId: `corp/${String(sub)}`, organizationId: 'corp' }, roles: groups as string[] };
    };
    expect(await contextOf({ groups: ['staff'] }, { identity, roles: { staff: ['orders:read'] } })).toMatchObject({
      scope: { userId: 'corp/ann', organizationId: 'corp' },
      roles: ['staff'],
      permissions: ['orders:read'],
    });
  });

  it('may be rejected by that function', async () => {
    await expect(contextOf({}, { identity: () => null })).rejects.toMatchObject({ code: 'SVC_UNAUTHENTICATED' });
  });

  it('cause a 503 if the function throws, not a 401', async () => {
    const identity = (): never => {
      throw new Error('the directory is down');
    };
    await expect(contextOf({}, { identity })).rejects.toThrow('the directory is down');
  });
});

it('adds the permissions of configured roles', async () => {
  const roles = { clerk: ['orders:write', 'orders:read'], admin: ['*:*'] } as const;
  expect(await contextOf({ roles: ['clerk', 'guest', 'constructor'], permissions: ['a:b'] }, { roles })).toMatchObject({
    roles: ['clerk', 'guest', 'constructor'],
    permissions: ['a:b', 'orders:write', 'orders:read'],
  });
});

it('rejects claims of unexpected types', () => {
  expect(identityOfClaims({ sub: 'x', roles: 'admin' })).toBeNull();
  expect(identityOfClaims({ sub: '' })).toMatchObject({ scope: { userId: '' } });
  expect(identityOfClaims({ sub: 7 })).toBeNull();
  expect(identityOfClaims({ sub: 'x', scope: ['a:b'] })).toBeNull();
});

it('rejects an empty user id', async () => {
  await expect(contextOf({ sub: '' })).rejects.toMatchObject({ code: 'SVC_UNAUTHENTICATED' });
});
