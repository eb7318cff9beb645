import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { audience, claimsOf, forged, inSeconds, Issuer, issuerName, signed } from '../testing/issuer.js';
import { SecuredHost } from '../testing/secured-host.js';
import { jwtAuthentication } from '@svc/http';

const secret = randomBytes(32);
const issuer = new Issuer();
let publicKey: object;
let keySet: SecuredHost;
let shared: SecuredHost;

beforeAll(async () => {
  await issuer.start();
  publicKey = await issuer.addKey('rsa', 'RS256');
  await issuer.addKey('ec', 'ES256');
  await issuer.addKey('ed', 'EdDSA');
  await issuer.addKey('secretly', 'ES256', false);
  const expected = { issuer: issuerName, audience };
  keySet = await SecuredHost.start(jwtAuthentication({ ...expected, jwks: issuer.url }));
  shared = await SecuredHost.start(jwtAuthentication({ ...expected, secret }));
});
afterAll(() => Promise.all([issuer.stop(), keySet.stop(), shared.stop()]));

const shareSigned = (changes: Record<string, unknown> = {}, alg = 'HS256'): Promise<string> =>
  signed(claimsOf(changes), secret, alg);

describe('a valid token', () => {
  it.each(['rsa', 'ec', 'ed'])('is accepted if signed by a key of the key set: %s', async (kid) => {
    const { status, json } = await keySet.withToken(await issuer.token(kid, { sub: kid }));
    expect({ status, json }).toMatchObject({ status: 200, json: { userId: kid, source: 'jwt' } });
  });

  it('is accepted if signed by the shared secret', async () => {
    expect(await shared.withToken(await shareSigned())).toMatchObject({ status: 200, json: { userId: 'ann' } });
  });

  it('is found with any case of the scheme', async () => {
    const token = await shareSigned();
    for (const authorization of [`bearer ${token}`, `BEARER  ${token}`]) {
      expect((await shared.post('/look', { authorization })).status).toBe(200);
    }
  });

  it('may have several audiences that include this service', async () => {
    expect((await shared.withToken(await shareSigned({ aud: ['mail', audience] }))).status).toBe(200);
  });

  it('may be slightly early or late, within the clock tolerance', async () => {
    for (const claims of [{ exp: inSeconds(-2) }, { nbf: inSeconds(3) }]) {
      expect((await shared.withToken(await shareSigned(claims))).status).toBe(200);
    }
  });

  it('is rejected after it has expired, also if it was cached', async () => {
    const host = await SecuredHost.start(
      jwtAuthentication({ issuer: issuerName, audience, secret, clockTolerance: 0 }),
    );
    vi.useFakeTimers({ toFake: ['Date'] });
    const token = await shareSigned({ exp: inSeconds(60) });
    expect((await host.withToken(token)).status).toBe(200);
    vi.setSystemTime(Date.now() + 60_000);
    expect(await host.withToken(token)).toMatchObject({ status: 401, json: { detail: 'The token has expired.' } });
    vi.useRealTimers();
    await host.stop();
  });
});

const rejected = (detail = 'The token is not valid.'): object => ({
  status: 401,
  json: { type: 'urn:svc:problem:unauthenticated', status: 401, detail, instance: '/look' },
});

describe('rejects a token', () => {
  it.each<[string, Record<string, unknown>]>([
    ['without a subject', { sub: null }],
    ['without an end', { exp: null }],
    ['not yet valid', { nbf: inSeconds(60) }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['of no issuer', { iss: null }],
    ['for another service', { aud: 'mail' }],
    ['for no service', { aud: null }],
    ['with a permission that is none', { permissions: ['orders:write', 'everything'] }],
    ['with permissions in another shape', { permissions: 'orders:write' }],
    ['with roles in another shape', { roles: { admin: true } }],
    ['with a role that reads as two', { roles: ['clerk,admin'] }],
    ['with a tenant that is no text', { tenant_id: 7 }],
    ['with two tenants', { tenant_id: 'a', tenantId: 'b' }],
    ['with a name that cannot be stored', { name: 'a\u0000b' }],
    ['with half a surrogate pair', { name: '\ud83d' }],
    ['with an end that is no number', { exp: 'tomorrow' }],
  ])('%s', async (_name, changes) => {
    for (const [host, token] of [
      [shared, await shareSigned(changes)],
      [keySet, await issuer.token('ec', changes)],
    ] as const) {
      const answer = await host.withToken(token);
      expect(answer).toMatchObject(rejected());
      expect(answer.headers.get('www-authenticate')).toBe(
        'Bearer error="invalid_token", error_description="The token is not valid."',
      );
    }
  });

  it('that has expired, and reports that to the caller', async () => {
    const answer = await shared.withToken(await shareSigned({ exp: inSeconds(-60) }));
    expect(answer).toMatchObject(rejected('The token has expired.'));
    expect(answer.headers.get('www-authenticate')).toContain('error_description="The token has expired."');
  });

  it('without a signature (alg none), in any case', async () => {
    for (const alg of ['none', 'None', 'NONE', '']) {
      for (const signature of ['', 'AAAA']) {
        const token = forged({ alg, typ: 'JWT' }, claimsOf(), signature);
        expect(await shared.withToken(token)).toMatchObject(rejected());
        expect(await keySet.withToken(token)).toMatchObject(rejected());
      }
    }
  });

  it('signed with a published key as a shared secret', async () => {
    const guesses = [JSON.stringify(publicKey), JSON.stringify({ keys: [publicKey] })];
    for (const guess of guesses) {
      const token = await signed(claimsOf(), new TextEncoder().encode(guess), 'HS256', 'rsa');
      expect(await keySet.withToken(token)).toMatchObject(rejected());
    }
  });

  it('signed with an algorithm that is not configured', async () => {
    expect(await shared.withToken(await signed(claimsOf(), Buffer.concat([secret, secret]), 'HS512'))).toMatchObject(
      rejected(),
    );
    expect(await shared.withToken(await issuer.token('rsa'))).toMatchObject(rejected());
  });

  it('signed by an unpublished key, with its own kid, a published kid, and no kid', async () => {
    for (const name of ['secretly', 'ec', null]) {
      expect(await keySet.withToken(await issuer.token('secretly', {}, name))).toMatchObject(rejected());
    }
  });

  it('that contains its own key', async () => {
    const own = await new Issuer().addKey('own', 'ES256');
    const [, payload, signature] = (await issuer.token('secretly')).split('.');
    const header = Buffer.from(JSON.stringify({ alg: 'ES256', jwk: own })).toString('base64url');
    expect(await keySet.withToken(`${header}.${payload}.${signature}`)).toMatchObject(rejected());
  });

  it('whose claims were changed, or whose signature was truncated', async () => {
    const [header, , signature] = (await issuer.token('rsa')).split('.');
    const changed = Buffer.from(JSON.stringify(claimsOf({ permissions: ['*:*'] }))).toString('base64url');
    const good = await issuer.token('rsa');
    for (const token of [`${header}.${changed}.${signature}`, good.slice(0, -4), `${header}.${changed}.`]) {
      expect(await keySet.withToken(token)).toMatchObject(rejected());
    }
  });

  it('with an unknown critical extension', async () => {
    const token = forged({ alg: 'HS256', crit: ['exp2'], exp2: 1 }, claimsOf(), 'AAAA');
    expect(await shared.withToken(token)).toMatchObject(rejected());
  });

  it('that is random text', async () => {
    const seed = Number(process.env['SVC_TEST_SEED'] ?? Date.now() % 2 ** 31);
    console.log(`random tokens: SVC_TEST_SEED=${seed}`);
    const text = fc.string({ unit: fc.constantFrom(...'abcABC012-_.=/+{}":, '.split('')) });
    const objects = fc.dictionary(fc.constantFrom('alg', 'kid', 'crit', 'b64', 'typ', 'zip'), fc.jsonValue());
    const tokens = fc.oneof(
      text,
      text.map((rest) => `e30.${rest}.x`),
      objects.map((header) => forged({ alg: 'HS256', ...header }, claimsOf(), 'AAAA')),
    );
    await fc.assert(
      fc.asyncProperty(tokens, async (token) => {
        expect((await shared.withToken(token)).status).toBe(401);
      }),
      { seed, numRuns: 300 },
    );
    expect((await shared.post('/look', { authorization: 'Bearer' })).status).toBe(401);
  });

  it('that is longer than 8 KiB, unread', async () => {
    const token = await shareSigned({ padding: 'x'.repeat(7000) });
    expect(token.length).toBeGreaterThan(8192);
    expect(await shared.withToken(token)).toMatchObject(rejected('The credential is too long.'));
    expect((await shared.withToken(await shareSigned({ padding: 'x'.repeat(4000) }))).status).toBe(200);
  });
});

it('can require a token type', async () => {
  const authenticator = jwtAuthentication({ issuer: issuerName, audience, secret, type: 'at+jwt' });
  await expect(authenticator.authenticate(await shareSigned())).rejects.toMatchObject({ code: 'SVC_UNAUTHENTICATED' });
});

it('writes no part of a token to the log or a response', async () => {
  const tokens = [
    await shareSigned({ exp: inSeconds(-60), name: 'Ann Telltale' }),
    await shareSigned({ aud: 'mail', name: 'Ann Telltale' }),
    forged({ alg: 'HS256', crit: ['Telltale'] }, claimsOf(), 'Telltale'),
    await shareSigned({ name: 'Ann Telltale', roles: ['Tell,tale'] }),
    'Telltale',
  ];
  const before = shared.lines.length;
  for (const token of tokens) {
    const { text, headers } = await shared.withToken(token);
    expect(text + JSON.stringify([...headers])).not.toMatch(/tell,?tale/i);
  }
  const logged = JSON.stringify(shared.lines.slice(before));
  expect(shared.lines.length - before).toBeGreaterThanOrEqual(tokens.length);
  expect(logged).not.toMatch(/tell,?tale/i);
  for (const token of tokens.slice(0, 4)) expect(logged).not.toContain(token.split('.')[1]);
  // The log has the reason.
  expect(logged).toContain('ERR_JWT_CLAIM_VALIDATION_FAILED (aud)');
});
