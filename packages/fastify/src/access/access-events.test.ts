import { randomBytes } from 'node:crypto';
import { messageOf, PermissionChanged, runAsHost, SystemEventStream, type SecurityContext } from '@svc/core';
import { runAs } from '@svc/core/hosting';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apiKeyAuthentication, jwtAuthentication, newApiKey } from '@svc/http';
import { svc } from '../plugin.js';
import { listen } from '../testing/http.js';
import { audience, claimsOf, issuerName, signed } from '../testing/issuer.js';
import { SecuredHost } from '../testing/secured-host.js';
import { restrictedTo } from './index.js';

const secret = randomBytes(32);
const bot = newApiKey();
const claims = { name: 'Ann Lee', tenant_id: 'acme', roles: ['clerk'], permissions: ['orders:read'] };
const token = (changes: Record<string, unknown> = {}): Promise<string> =>
  signed(claimsOf({ ...claims, ...changes }), secret, 'HS256');
const ann = { userId: 'ann', tenantId: 'acme' };
const annInEnvelopes = { ...ann, userName: 'Ann Lee', roles: 'clerk', permissions: 'orders:read', source: 'jwt' };
let host: SecuredHost;

beforeEach(async () => {
  host = new SecuredHost(
    jwtAuthentication({ issuer: issuerName, audience, secret }),
    apiKeyAuthentication({ keys: [{ sha256: bot.sha256, scope: { userId: 'bot' }, permissions: ['*:*'] }] }),
  );
  await host.app.register(svc(host.service));
  for (const recordGrant of [true, false]) {
    const options = restrictedTo(host.service, {
      requires: 'orders:read',
      resourceType: 'report',
      resourceId: ({ url }) => url,
      filter: 1,
      recordGrant,
    });
    host.app.get(`/report-${recordGrant ? 'recorded' : 'plain'}`, options, () => 'here you are');
  }
  host.port = await listen(host.app);
});
afterEach(() => host.stop());

describe('ScopeContextEstablished', () => {
  it('is emitted once for a credential, however often and over whichever transport it is sent', async () => {
    const mine = await token();
    await Promise.all(Array.from({ length: 20 }, () => host.withToken(mine)));
    await host.withToken(mine, '/browse');
    await host.post('/look', { 'x-api-key': bot.key });
    expect(await host.systemEvents('ScopeContextEstablished')).toMatchObject([
      {
        scope: ann,
        roles: new Set(['clerk']),
        permissions: new Set(['orders:read']),
        source: 'jwt',
        timestamp: expect.any(Date) as Date,
        envelope: { scope: annInEnvelopes },
      },
      { scope: { userId: 'bot' }, roles: new Set(), permissions: new Set(['*:*']), source: 'api-key' },
    ]);
  });

  it('is not emitted for an invalid or missing credential', async () => {
    await host.withToken('bad');
    await host.withToken(await token({ aud: 'mail' }));
    await host.post('/look');
    await host.post('/browse');
    expect(await host.systemEvents('ScopeContextEstablished')).toEqual([]);
  });

  it('is emitted again after the permissions of the caller have changed', async () => {
    const mine = await token();
    await host.withToken(mine);
    const change = { userId: 'ann', tenantId: 'acme', changeType: 'RolesAdded', changedBy: 'eve' } as const;
    await host.service.emitter.emit(messageOf(PermissionChanged, { ...change, ...stamp() }));
    await host.withToken(mine);
    await host.withToken(mine);
    expect(await host.systemEvents('ScopeContextEstablished')).toHaveLength(2);
  });
});

describe('AccessDenied', () => {
  it('is emitted once for repeated denials, with the required and the actual permissions', async () => {
    const mine = await token();
    for (let i = 0; i < 3; i++) expect((await host.withToken(mine, '/write')).status).toBe(403);
    const denied = await host.systemEvents('AccessDenied');
    expect(denied).toHaveLength(1);
    expect(denied[0]!['count']).toBeUndefined();
    expect(denied[0]).toMatchObject({
      resourceType: 'command',
      resourceId: 'test.Write',
      requiredPermission: 'orders:write',
      callerPermissions: new Set(['orders:read']),
      callerRoles: new Set(['clerk']),
      scope: ann,
      reason: 'InsufficientPermission',
      envelope: { scope: annInEnvelopes },
    });
    expect(await host.systemEvents('CommandAudited')).toEqual([]);
    await host.service.access.close();
    expect((await host.systemEvents('AccessDenied')).map(({ count }) => count)).toEqual([undefined, 2]);
  });

  it('is not emitted for callers without a valid credential, who could fill the stream', async () => {
    await host.post('/write');
    for (let i = 0; i < 3; i++) await host.withToken(`bad${i}`, '/write');
    expect(await host.systemEvents()).toMatchObject([{ scheme: 'Bearer' }]);
    expect(await host.systemEvents('AuthenticationFailed')).toHaveLength(1);
    await host.service.access.close();
    expect((await host.systemEvents('AuthenticationFailed')).map(({ count }) => count)).toEqual([undefined, 2]);
  });
});

describe('AccessGranted', () => {
  const get = async (path: string): Promise<number> => {
    const headers = { authorization: `Bearer ${await token()}` };
    return (await fetch(`http://127.0.0.1:${host.port}${path}`, { headers })).status;
  };

  it('is emitted for routes with recordGrant', async () => {
    expect(await get('/report-recorded?a=1')).toBe(200);
    expect(await host.systemEvents('AccessGranted')).toMatchObject([
      {
        resourceType: 'report',
        resourceId: '/report-recorded?a=1',
        usedPermission: 'orders:read',
        accessFilter: 1,
        scope: ann,
        envelope: { scope: annInEnvelopes },
      },
    ]);
  });

  it('is not emitted for other routes', async () => {
    expect(await get('/report-plain')).toBe(200);
    expect((await host.post('/write', { 'x-api-key': bot.key })).status).toBe(200);
    expect(await host.systemEvents('AccessGranted')).toEqual([]);
  });
});

describe('an audit record', () => {
  it('contains the caller', async () => {
    await host.withToken(await token(), '/look');
    const who = { userId: 'ann', tenantId: 'acme', scope: annInEnvelopes };
    expect(await host.systemEvents('EventAudited')).toMatchObject([{ ...who, originalEventType: 'test.Acted' }]);
    expect(await host.systemEvents('CommandAudited')).toMatchObject([
      { ...who, userName: 'Ann Lee', commandType: 'test.Look', receptorName: 'LookReceptor' },
    ]);
  });

  it('contains no caller for an anonymous request', async () => {
    await host.post('/browse');
    const [audited] = await host.systemEvents('CommandAudited');
    expect(audited).toMatchObject({ scope: { source: 'anonymous' } });
    expect(audited!['userId']).toBeUndefined();
  });

  it('can be read by callers with the permission and by the host, but not by code outside a context', async () => {
    const read = async (): Promise<number> => {
      const events = host.service.eventStore.readStream(SystemEventStream.streamId);
      const found: string[] = [];
      for await (const { envelope } of events) found.push(envelope.type);
      return found.length;
    };
    await host.withToken(await token());
    await host.service.idle();
    const context = (permissions: string[]): SecurityContext =>
      ({ scope: ann, roles: new Set(), permissions: new Set(permissions), source: 'test' }) as never;
    await expect(runAs(context(['orders:*', '*:write']), read)).rejects.toMatchObject({ code: 'SVC_ACCESS_DENIED' });
    await expect(runAs(context(['system:read']), read)).resolves.toBeGreaterThan(2);
    await expect(runAsHost(read)).resolves.toBeGreaterThan(2);
    // Code outside a context does not have the host's rights: a route without access control must not read the records.
    await expect(read()).rejects.toMatchObject({ code: 'SVC_UNAUTHENTICATED' });
    await host.service.idle();
    expect(await host.systemEvents('AccessDenied')).toMatchObject([{ resourceType: 'system-stream', scope: ann }]);
  });
});

function stamp(): { id: PermissionChanged['id']; timestamp: Date } {
  return { id: new PermissionChanged().id, timestamp: new Date() };
}
