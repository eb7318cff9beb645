import { randomBytes } from 'node:crypto';
import cors from '@fastify/cors';
import rateLimit from '@fastify/rate-limit';
import { AccessDenialReason, currentSecurityContext, permission } from '@svc/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apiKeyAuthentication, jwtAuthentication, newApiKey } from '@svc/http';
import { svc } from '../plugin.js';
import { connected, listen, sendRaw } from '../testing/http.js';
import { audience, claimsOf, issuerName, signed } from '../testing/issuer.js';
import { SecuredHost } from '../testing/secured-host.js';
import { restrictedTo, securityContextOf } from './index.js';

const secret = randomBytes(32);
const bot = newApiKey();
const token = (claims: Record<string, unknown> = {}): Promise<string> => signed(claimsOf(claims), secret, 'HS256');
let host: SecuredHost;

beforeEach(() => {
  host = new SecuredHost(
    jwtAuthentication({ issuer: issuerName, audience, secret }),
    apiKeyAuthentication({ keys: [{ sha256: bot.sha256, scope: { userId: 'bot' } }] }),
  );
});
afterEach(() => host.stop());

async function serve(): Promise<void> {
  await host.app.register(svc(host.service));
  host.port = await listen(host.app);
}

describe('an endpoint', () => {
  beforeEach(serve);

  it('rejects callers without a credential with 401 and a challenge', async () => {
    for (const path of ['/write', '/look']) {
      const answer = await host.post(path);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
      expect(answer.headers.get('www-authenticate')).toBe('Bearer, ApiKey header="x-api-key"');
      expect(answer.json).toEqual({
        type: 'urn:svc:problem:unauthenticated',
        title: 'Unauthenticated',
        status: 401,
        detail: 'Authentication is required. Send a valid credential.',
        instance: path,
        traceId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      });
    }
  });

  it('rejects callers who lack the permission with 403, without naming it', async () => {
    for (const permissions of [[], ['orders:read'], ['*:read'], ['customers:*']]) {
      const answer = await host.withToken(await token({ permissions }), '/write');
      expect(answer).toMatchObject({
        status: 403,
        json: { type: 'urn:svc:problem:forbidden', detail: 'You are not allowed to do this.', instance: '/write' },
      });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope"');
      expect(answer.text).not.toContain('orders:write');
    }
  });

  it.each(['orders:write', 'orders:*', '*:write', '*:*'])('allows a caller with the permission %s', async (held) => {
    expect((await host.withToken(await token({ permissions: [held] }), '/write')).status).toBe(200);
  });

  it('without a required permission allows every authenticated caller', async () => {
    expect((await host.withToken(await token())).status).toBe(200);
    expect((await host.post('/look', { 'x-api-key': bot.key })).status).toBe(200);
  });

  it('with allowAnonymous accepts anonymous and authenticated callers, but no invalid credential', async () => {
    expect(await host.post('/browse')).toMatchObject({ status: 200, json: { source: 'anonymous', permissions: [] } });
    expect(await host.withToken(await token(), '/browse')).toMatchObject({ status: 200, json: { userId: 'ann' } });
    expect((await host.withToken('bad', '/browse')).status).toBe(401);
  });

  it('rejects two credentials', async () => {
    const headers = { authorization: `Bearer ${await token()}`, 'x-api-key': bot.key };
    expect(await host.post('/look', headers)).toMatchObject({
      status: 401,
      json: { detail: 'Two credentials were sent. Send one.' },
    });
    expect((await host.post('/look', { ...headers, 'x-api-key': 'bad' })).status).toBe(401);
    const twice = [await token({ sub: 'eve' }), await token()].map((text) => `Authorization: Bearer ${text}\r\n`);
    const head = `POST /look HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n`;
    expect((await sendRaw(host.port, `${head}${twice.join('')}\r\n{}`)).status).toBe(401);
  });

  it('ignores credentials in other headers, cookies, the query or the body', async () => {
    const claims = { 'x-user': 'ann', 'x-user-id': 'ann', 'x-forwarded-user': 'ann', 'remote-user': 'ann' };
    const answer = await host.post('/browse', { ...claims, cookie: 'user=ann', 'x-tenant-id': 'acme', from: 'ann' });
    expect(answer.json).toEqual({ roles: [], permissions: [], source: 'anonymous' });
    expect((await host.post('/look', { ...claims, cookie: `token=${await token()}` })).status).toBe(401);
    expect((await host.post(`/look?access_token=${await token()}`, claims)).status).toBe(401);
    expect((await host.post('/look', { authorization: 'Basic YW5uOmFubg==' }, { userId: 'ann' })).status).toBe(401);
    const posing = await host.withToken(await token({ sub: 'eve' }), '/look');
    expect(posing.json).toMatchObject({ userId: 'eve' });
  });

  it('responds before the body is read, and the connection stays usable', async () => {
    for (const body of ['{', 'x'.repeat(2_000_000), '']) expect((await host.post('/write', {}, body)).status).toBe(401);
    const noBody =
      'POST /write HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n';
    expect((await sendRaw(host.port, noBody)).status).toBe(401);
    const good = { authorization: `Bearer ${await token({ permissions: ['orders:write'] })}` };
    expect((await host.post('/write', good, '{')).status).toBe(400);
    expect((await host.post('/write', good)).status).toBe(200);
  });

  it('leaves nothing behind if the client disconnects during authentication', async () => {
    const good = await token({ permissions: ['orders:write'] });
    const socket = await connected(host.port);
    const head = `POST /write HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${good}\r\nContent-Type: application/json\r\n`;
    socket.write(`${head}Content-Length: 100\r\n\r\n{"no`);
    socket.destroy();
    expect(await host.post('/browse')).toMatchObject({ json: { source: 'anonymous' } });
    expect((await host.post('/write')).status).toBe(401);
  });

  it('returns 403 if a receptor reads models that the caller may not see', async () => {
    const body = { note: 'read the system stream' };
    const can = { permissions: ['orders:write', 'system:read'] };
    expect((await host.withToken(await token({ permissions: ['orders:write'] }), '/write', body)).status).toBe(403);
    expect((await host.withToken(await token(can), '/write', body)).status).toBe(200);
    const anonymous = await host.post('/browse', {}, body);
    expect(anonymous.status).toBe(401);
    expect(anonymous.headers.get('www-authenticate')).toBe('Bearer, ApiKey header="x-api-key"');
  });
});

describe("the host's plugins", () => {
  it('run first: preflights and rate limits need no credential, and rejections have their headers', async () => {
    await host.app.register(cors, { origin: 'https://shop.example' });
    await host.app.register(rateLimit, { max: 2, timeWindow: '1 minute' });
    await serve();
    const origin = 'https://shop.example';
    const preflight = await host.app.inject({
      method: 'OPTIONS',
      url: '/write',
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    expect(preflight.statusCode).toBe(204);
    const answers = [await host.post('/write', { origin }), await host.post('/write'), await host.post('/write')];
    expect(answers[0]!.headers.get('access-control-allow-origin')).toBe(origin);
    expect(answers[0]!.headers.get('x-ratelimit-remaining')).toBe('1');
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 429]);
  });

  it('run first also if they are registered later', async () => {
    await host.app.register(svc(host.service));
    host.app.addHook('onRequest', (_request, reply, done) => {
      reply.header('x-first', 'yes');
      done();
    });
    host.port = await listen(host.app);
    expect((await host.post('/write')).headers.get('x-first')).toBe('yes');
  });

  it('see the caller in their later hooks', async () => {
    const seen: unknown[] = [];
    host.app.addHook('preHandler', (request, _reply, done) => {
      seen.push(securityContextOf(request)?.scope.userId);
      done();
    });
    await serve();
    await host.withToken(await token());
    expect(seen).toEqual(['ann']);
  });
});

describe("a route of the host's own", () => {
  it('can be restricted: it rejects with a problem and runs as the caller', async () => {
    await host.app.register(svc(host.service));
    const access = { requires: 'reports:read', resourceType: 'report' } as const;
    host.app.get('/report', restrictedTo(host.service, access), () => currentSecurityContext()?.scope);
    host.app.get('/mine', restrictedTo(host.service, { resourceType: 'report' }), (request) => {
      const requested = { ...access, requires: permission(access.requires), resourceId: 'mine' };
      return host.service.access.deny(securityContextOf(request)!, requested, AccessDenialReason.ScopeViolation);
    });
    host.app.get('/broken', restrictedTo(host.service, { resourceType: 'report' }), () => {
      throw new Error('mine to show');
    });
    host.app.get('/open', () => ({ who: currentSecurityContext() }));
    host.port = await listen(host.app);
    const get = (path: string, bearer?: string): Promise<Response> =>
      fetch(`http://127.0.0.1:${host.port}${path}`, bearer === undefined ? {} : { headers: { authorization: bearer } });
    const anonymousAnswer = await get('/report');
    expect([anonymousAnswer.status, anonymousAnswer.headers.get('content-type')]).toEqual([
      401,
      expect.stringContaining('problem+json'),
    ]);
    expect((await get('/report', `Bearer ${await token()}`)).status).toBe(403);
    const allowed = await get('/report', `Bearer ${await token({ permissions: ['reports:*'] })}`);
    expect(await allowed.json()).toEqual({ userId: 'ann' });
    const denied = await get('/mine', `Bearer ${await token()}`);
    expect([denied.status, denied.headers.get('content-type')]).toEqual([403, expect.stringContaining('problem+json')]);
    expect(await host.systemEvents('AccessDenied')).toMatchObject([
      { reason: 'InsufficientPermission' },
      { reason: 'ScopeViolation', resourceId: 'mine' },
    ]);
    const broken = await get('/broken', `Bearer ${await token()}`);
    expect(await broken.json()).toMatchObject({ statusCode: 500, message: 'mine to show' });
    expect(await (await get('/open', `Bearer ${await token()}`)).json()).toEqual({ who: null });
  });
});
