import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRaw } from '../testing/http.js';
import { SecuredHost } from '../testing/secured-host.js';
import { apiKeyAuthentication, hashApiKey, newApiKey } from '@svc/http';

const bot = newApiKey();
const clerk = newApiKey();
let host: SecuredHost;

beforeAll(async () => {
  host = await SecuredHost.start(
    apiKeyAuthentication({
      keys: [
        { sha256: bot.sha256, scope: { userId: 'bot', tenantId: 'acme' }, permissions: ['orders:write'] },
        { sha256: clerk.sha256.toUpperCase(), scope: { userId: 'carl' }, userName: 'Carl', roles: ['clerk'] },
      ],
      roles: { clerk: ['orders:write'] },
    }),
  );
});
afterAll(() => host.stop());

describe('apiKeyAuthentication', () => {
  it('identifies the caller', async () => {
    expect(await host.post('/write', { 'x-api-key': bot.key })).toMatchObject({
      status: 200,
      json: { userId: 'bot', tenantId: 'acme', permissions: ['orders:write'], source: 'api-key' },
    });
    expect(await host.post('/write', { 'x-api-key': clerk.key })).toMatchObject({
      json: { userId: 'carl', userName: 'Carl', roles: ['clerk'], permissions: ['orders:write'] },
    });
  });

  it.each([
    ['wrong', newApiKey().key],
    ['cut', bot.key.slice(0, -1)],
    ['longer', `${bot.key}x`],
    ['empty', ''],
    ['the hash itself', bot.sha256],
    ['two of them', `${bot.key}, ${clerk.key}`],
    ['huge', 'x'.repeat(9000)],
  ])('rejects a key that is %s', async (_name, key) => {
    const answer = await host.post('/write', { 'x-api-key': key });
    expect(answer).toMatchObject({ status: 401, json: { type: 'urn:svc:problem:unauthenticated' } });
    expect(answer.headers.get('www-authenticate')).toBe('ApiKey header="x-api-key"');
    if (key !== '') expect(answer.text + host.log).not.toContain(key);
  });

  it('rejects a repeated header', async () => {
    const head = `POST /write HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n`;
    const twice = `X-Api-Key: ${bot.key}\r\nx-api-key: ${bot.key}\r\n\r\n{}`;
    expect((await sendRaw(host.port, head + twice)).status).toBe(401);
  });

  it('returns a challenge if the key is missing', async () => {
    const answer = await host.post('/write');
    expect(answer).toMatchObject({
      status: 401,
      json: { detail: 'Authentication is required. Send a valid credential.' },
    });
    expect(answer.headers.get('www-authenticate')).toBe('ApiKey header="x-api-key"');
  });
});

it('creates random keys and their hashes', () => {
  expect(bot.key).toMatch(/^[\w-]{43}$/);
  expect(bot.sha256).toBe(hashApiKey(bot.key));
  expect(newApiKey().key).not.toBe(bot.key);
});

describe('keys that a function looks up', () => {
  it('are looked up by their hash, again after expiresAt', async () => {
    const lookups: string[] = [];
    let isKnown = true;
    const keys = (sha256: string) => {
      lookups.push(sha256);
      const isBot = isKnown && sha256 === bot.sha256;
      return isBot ? { scope: { userId: 'bot' }, expiresAt: new Date(Date.now() - 1) } : null;
    };
    const lookingUp = await SecuredHost.start(apiKeyAuthentication({ header: 'X-Key', keys }));
    expect((await lookingUp.post('/look', { 'x-key': bot.key })).status).toBe(200);
    expect((await lookingUp.post('/look', { 'x-key': clerk.key })).status).toBe(401);
    isKnown = false;
    expect((await lookingUp.post('/look', { 'x-key': bot.key })).status).toBe(401);
    expect(lookups).toEqual([bot.sha256, clerk.sha256, bot.sha256]);
    await lookingUp.stop();
  });

  it('cause a 503 if the lookup fails, not a 401', async () => {
    const failing = await SecuredHost.start(
      apiKeyAuthentication({ keys: () => Promise.reject(new Error('no database')) }),
    );
    const answer = await failing.post('/look', { 'x-api-key': bot.key });
    expect(answer).toMatchObject({ status: 500, json: { type: 'urn:svc:problem:internal-error' } });
    expect(answer.text).not.toContain('no database');
    expect(failing.log).not.toContain(bot.key);
    await failing.stop();
  });
});
