import { permission } from '@svc/core';
import { expect, it } from 'vitest';
import { jwtAuthentication } from './jwt-authentication.js';
import { signToken, type TokenHolder } from './sign-token.js';

const signing = { secret: 'a secret of at least 32 characters', issuer: 'shop', audience: 'shop' };
const authenticate = async (holder: TokenHolder, changes: object = {}, accepted: object = {}) => {
  const token = await signToken(holder, { ...signing, ...changes });
  return await jwtAuthentication({ ...signing, ...accepted }).authenticate(token);
};

it('signs a token that the authentication with the same options accepts', async () => {
  const holder = { user: 'ann', name: 'Ann Lee', tenant: 'acme', roles: ['clerk'], permissions: ['orders:write'] };
  const { context, expiresAt } = await authenticate(holder, { minutes: 5 });
  expect(context).toMatchObject({ scope: { userId: 'ann', tenantId: 'acme' }, userName: 'Ann Lee', source: 'jwt' });
  expect([...context.roles]).toEqual(['clerk']);
  expect([...context.permissions]).toEqual([permission('orders:write')]);
  const validForMs = expiresAt!.getTime() - Date.now();
  expect(validForMs).toBeGreaterThan(295_000);
  expect(validForMs).toBeLessThan(310_000);
});

it('is accepted only with its secret, its issuer and its audience', async () => {
  for (const other of [{ secret: 'b'.repeat(32) }, { issuer: 'another' }, { audience: 'another' }]) {
    await expect(authenticate({ user: 'ann' }, {}, other)).rejects.toThrow('The token is not valid.');
  }
});

it('adds further claims, which cannot replace the user', async () => {
  const { context } = await authenticate({ user: 'ann', claims: { sub: 'root', preferred_username: 'Ann' } });
  expect(context).toMatchObject({ scope: { userId: 'ann' }, userName: 'Ann' });
});

it.each([
  ['a short secret', { user: 'ann' }, { secret: 'short' }, 'The secret has 5 bytes; HS256 needs 32.'],
  ['no time', { user: 'ann' }, { minutes: 0 }, 'The minutes of a token must be a number above 0, not 0.'],
  ['no end', { user: 'ann' }, { minutes: Infinity }, 'The minutes of a token must be a number above 0, not Infinity.'],
  ['no user', { user: '' }, {}, 'A token needs a user'],
  ['roles that are no texts', { user: 'ann', claims: { roles: 'clerk' } }, {}, 'A token needs a user'],
] as const)('rejects %s', async (_what, holder, changes, message) => {
  await expect(signToken(holder, { ...signing, ...changes })).rejects.toThrow(message);
});
