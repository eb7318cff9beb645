import { createServer, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { audience, claimsOf, forged, inSeconds, Issuer, issuerName } from '../testing/issuer.js';
import { SecuredHost } from '../testing/secured-host.js';
import { jwtAuthentication, type KeySetOptions } from '@svc/http';

let issuer: Issuer;
const hosts: SecuredHost[] = [];

beforeEach(async () => {
  issuer = new Issuer();
  await issuer.start();
  await issuer.addKey('first', 'ES256');
});
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(hosts.splice(0).map((started) => started.stop()));
  await issuer.stop();
});

async function host(keySet: KeySetOptions = {}): Promise<SecuredHost> {
  const authenticator = jwtAuthentication({ jwks: issuer.url, keySet, issuer: issuerName, audience });
  const started = await SecuredHost.start(authenticator);
  hosts.push(started);
  return started;
}

const unavailable = {
  status: 503,
  json: {
    type: 'urn:svc:problem:unavailable',
    detail: 'The credential cannot be checked at the moment. Try again later.',
  },
};

it('fetches the keys with the first token, once for concurrent ones', async () => {
  const service = await host();
  expect(issuer.fetches).toBe(0);
  const tokens = await Promise.all(Array.from({ length: 20 }, (_, i) => issuer.token('first', { sub: `user-${i}` })));
  const answers = await Promise.all(tokens.map((token) => service.withToken(token)));
  expect(answers.map(({ status }) => status)).toEqual(tokens.map(() => 200));
  expect(issuer.fetches).toBe(1);
});

it('accepts a new key of the issuer, and rejects a withdrawn one', async () => {
  const service = await host({ cooldown: 0, maxAge: 0 });
  expect((await service.withToken(await issuer.token('first'))).status).toBe(200);
  await issuer.addKey('second', 'ES256');
  expect((await service.withToken(await issuer.token('second'))).status).toBe(200);
  issuer.removeKey('first');
  expect((await service.withToken(await issuer.token('first', { sub: 'late' }))).status).toBe(401);
  expect((await service.withToken(await issuer.token('second', { sub: 'other' }))).status).toBe(200);
});

it('accepts a new key within a second', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const service = await host();
  expect((await service.withToken(await issuer.token('first'))).status).toBe(200);
  await issuer.addKey('second', 'ES256');
  const token = await issuer.token('second');
  expect((await service.withToken(token)).status).toBe(401);
  vi.setSystemTime(Date.now() + 1_000);
  expect((await service.withToken(token)).status).toBe(200);
  expect(issuer.fetches).toBe(2);
});

it('rejects a removed key after maxAge, also for a token that it has accepted before', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const service = await host();
  const start = Date.now();
  const token = (sub: string): Promise<string> => issuer.token('first', { sub, exp: inSeconds(3_600) });
  const [early, late] = await Promise.all([token('early'), token('late')]);
  expect((await service.withToken(early)).status).toBe(200);
  await issuer.addKey('second', 'ES256');
  issuer.removeKey('first');
  vi.setSystemTime(start + 590_000);
  expect((await service.withToken(late)).status).toBe(200);
  expect(issuer.fetches).toBe(1);
  vi.setSystemTime(start + 601_000);
  expect((await service.withToken(late)).status).toBe(401);
  expect((await service.withToken(early)).status).toBe(401);
  expect((await service.withToken(await issuer.token('second'))).status).toBe(200);
});

it('fetches the keys at most once a second, however many unknown keys callers name', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const service = await host();
  const seconds = 3;
  for (let i = 0; i < seconds * 10; i++) {
    const key = { alg: 'ES256', kid: `random-${i}` };
    expect((await service.withToken(forged(key, claimsOf(), 'AAAA'))).status).toBe(401);
    vi.setSystemTime(Date.now() + 100);
  }
  expect(issuer.fetches).toBeLessThanOrEqual(seconds + 1);
});

it('limits retries also if the issuer answers with something else', async () => {
  const service = await host();
  issuer.failure = { status: 200, body: '<html>' };
  const token = await issuer.token('first');
  for (let i = 0; i < 5; i++) expect(await service.withToken(token)).toMatchObject(unavailable);
  expect(issuer.fetches).toBe(1);
});

it('does not fetch the keys again for every unknown key', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const service = await host();
  await issuer.addKey('unknown', 'ES256', false);
  for (let i = 0; i < 10; i++) {
    expect((await service.withToken(await issuer.token('unknown', { sub: `${i}` }))).status).toBe(401);
  }
  expect(issuer.fetches).toBe(1);
});

it('requires a kid if several keys fit', async () => {
  const service = await host();
  await issuer.addKey('second', 'ES256');
  expect((await service.withToken(await issuer.token('second'))).status).toBe(200);
  expect((await service.withToken(await issuer.token('second', { sub: 'unnamed' }, null))).status).toBe(401);
});

it.each([
  ['answers with an error', { status: 500, body: 'broken' }],
  ['answers with something else', { status: 200, body: '<html>' }],
  ['answers with no keys', { status: 200, body: '{"keys":7}' }],
  ['sends somewhere else', { status: 302, body: '' }],
])('returns 503, not 401, if the issuer %s', async (_name, failure) => {
  const service = await host();
  issuer.failure = failure;
  const answer = await service.withToken(await issuer.token('first'));
  expect(answer).toMatchObject(unavailable);
  expect(answer.headers.get('retry-after')).toBe('5');
  expect(answer.headers.get('www-authenticate')).toBeNull();
});

it('returns 503 while the issuer is unreachable, limits retries, and recovers', async () => {
  const service = await host();
  const token = await issuer.token('first');
  issuer.failure = { status: 503, body: '' };
  vi.useFakeTimers({ toFake: ['performance'] });
  for (let i = 0; i < 10; i++) expect(await service.withToken(token)).toMatchObject(unavailable);
  expect(issuer.fetches).toBe(1);
  vi.advanceTimersByTime(5_001);
  issuer.failure = null;
  expect((await service.withToken(token)).status).toBe(200);
  expect(issuer.fetches).toBe(2);
  // A cached credential stays valid while the issuer is unavailable.
  await issuer.stop();
  expect((await service.withToken(token)).status).toBe(200);
  await issuer.start();
});

it('returns 503 if the connection is refused', async () => {
  const service = await host();
  const token = await issuer.token('first');
  await issuer.stop();
  expect(await service.withToken(token)).toMatchObject(unavailable);
  expect((await service.post('/browse')).status).toBe(200);
  await issuer.start();
});

it('does not wait for an issuer that does not respond', async () => {
  const silent = createServer();
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const authenticator = jwtAuthentication({
    jwks: `http://127.0.0.1:${port}/`,
    keySet: { timeout: 0.2 },
    issuer: issuerName,
    audience,
  });
  await expect(authenticator.authenticate(await issuer.token('first'))).rejects.toMatchObject({
    code: 'SVC_AUTHENTICATION_UNAVAILABLE',
  });
  silent.close();
});
