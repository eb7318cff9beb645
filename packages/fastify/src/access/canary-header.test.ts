import { randomBytes } from 'node:crypto';
import { createService } from '@svc/core';
import Fastify from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { jwtAuthentication } from '@svc/http';
import { health } from '../health.js';
import { svc } from '../plugin.js';
import { listen, post, sendRaw } from '../testing/http.js';
import { audience, claimsOf, issuerName, signed } from '../testing/issuer.js';
import { orderBody, orderService } from '../testing/order-service.js';
import { SecuredHost } from '../testing/secured-host.js';
import { canaryHeader } from './index.js';

const secret = randomBytes(32);
const bearer = async (...permissions: string[]): Promise<Record<string, string>> => ({
  authorization: `Bearer ${await signed(claimsOf({ permissions }), secret, 'HS256')}`,
});
const forced = { 'x-svc-version': 'new' };
let host: SecuredHost;

beforeEach(() => {
  host = new SecuredHost(jwtAuthentication({ issuer: issuerName, audience, secret }));
});
afterEach(() => host.stop());

describe.each(['before', 'after'])('a header that needs a permission, registered %s the service', (order) => {
  beforeEach(async () => {
    const guard = canaryHeader(host.service, { requires: 'canary:use' });
    if (order === 'before') await host.app.register(guard);
    await host.app.register(health(host.service));
    await host.app.register(svc(host.service), { prefix: '/api' });
    if (order === 'after') await host.app.register(guard);
    host.app.get('/own', () => 'here you are');
    host.port = await listen(host.app);
  });

  it('allows callers who have the permission', async () => {
    const held = await bearer('orders:write', 'canary:use');
    expect((await host.post('/api/write', { ...held, ...forced })).status).toBe(200);
    expect((await host.post('/api/write', { ...(await bearer('orders:write', '*:*')), ...forced })).status).toBe(200);
  });

  it('rejects callers who lack it, with 403, and records AccessDenied', async () => {
    const answer = await host.post('/api/write', { ...(await bearer('orders:write')), ...forced });
    expect(answer).toMatchObject({
      status: 403,
      json: { type: 'urn:svc:problem:forbidden', detail: 'You are not allowed to do this.', instance: '/api/write' },
    });
    expect(answer.text).not.toContain('canary');
    expect(await host.systemEvents('AccessDenied')).toMatchObject([
      {
        resourceType: 'canary',
        resourceId: 'x-svc-version',
        requiredPermission: 'canary:use',
        reason: 'InsufficientPermission',
        scope: { userId: 'ann' },
      },
    ]);
    expect(await host.systemEvents('CommandAudited')).toEqual([]);
  });

  it('rejects callers who do not authenticate, with 401, also on a route that allows anonymous callers', async () => {
    for (const path of ['/api/write', '/api/browse']) {
      const answer = await host.post(path, forced);
      expect(answer).toMatchObject({ status: 401, json: { type: 'urn:svc:problem:unauthenticated' } });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
    expect((await host.post('/api/browse', { ...forced, authorization: 'Bearer bad' })).status).toBe(401);
  });

  it.each(['new', 'old', ''])('requires the permission for every value (%j)', async (value) => {
    const head = `POST /api/browse HTTP/1.1\r\nHost: x\r\nX-SVC-Version: ${value}\r\nContent-Type: application/json\r\n`;
    expect((await sendRaw(host.port, `${head}Content-Length: 2\r\n\r\n{}`)).status).toBe(401);
  });

  it('applies to every route of the host', async () => {
    for (const path of ['/own', '/health/ready', '/nowhere', '/api/openapi.json'])
      expect((await fetch(`http://127.0.0.1:${host.port}${path}`, { headers: forced })).status).toBe(401);
  });

  it('responds before the body is read', async () => {
    for (const body of ['{', 'x'.repeat(2_000_000)])
      expect((await host.post('/api/write', { ...(await bearer('orders:write')), ...forced }, body)).status).toBe(403);
    const noBody = 'POST /api/write HTTP/1.1\r\nHost: x\r\nX-Svc-Version: new\r\nContent-Length: 100000\r\n\r\n';
    expect((await sendRaw(host.port, noBody)).status).toBe(401);
  });

  it('does not affect requests without the header', async () => {
    expect((await host.post('/api/write', await bearer('orders:write'))).status).toBe(200);
    expect((await host.post('/api/write', await bearer('canary:use'))).status).toBe(403);
    expect((await host.post('/api/browse')).status).toBe(200);
    expect((await fetch(`http://127.0.0.1:${host.port}/own`)).status).toBe(200);
  });
});

it('accepts a header name other than that of svc deploy', async () => {
  await host.app.register(svc(host.service));
  await host.app.register(canaryHeader(host.service, { header: 'X-Canary', requires: 'canary:use' }));
  host.port = await listen(host.app);
  expect((await host.post('/browse', { 'x-canary': '1' })).status).toBe(401);
  expect((await host.post('/browse', forced)).status).toBe(200);
});

it('has no effect without authentication', async () => {
  const service = orderService();
  const app = Fastify();
  await app.register(canaryHeader(service, { requires: 'canary:use' }));
  await app.register(svc(service));
  const port = await listen(app);
  expect((await post(port, orderBody(), forced)).status).toBe(200);
  await app.close();
  await service.stop();
});

it.each(['', 'x canary', 'x-canary:', 'x-cänary'])('rejects %j, which is not a valid header name', (header) => {
  const service = createService({
    messages: [],
    receptors: [],
    endpoints: [],
    openapi: { paths: {}, components: { schemas: {} } },
  });
  expect(() => canaryHeader(service, { header, requires: 'canary:use' })).toThrow(RangeError);
});
