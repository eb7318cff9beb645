import { randomBytes } from 'node:crypto';
import { currentSecurityContext } from '@svc/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { jwtAuthentication } from '@svc/http';
import { svc } from '../plugin.js';
import { listen } from '../testing/http.js';
import { audience, claimsOf, issuerName, signed } from '../testing/issuer.js';
import { SecuredHost } from '../testing/secured-host.js';

const secret = randomBytes(32);
const host = new SecuredHost(jwtAuthentication({ issuer: issuerName, audience, secret }));
const hooks: unknown[] = [];

beforeAll(async () => {
  host.service.addTagHook('sys-audit', () => void hooks.push(currentSecurityContext()));
  await host.app.register(svc(host.service));
  host.port = await listen(host.app);
});
afterAll(() => host.stop());

const everybody = Array.from({ length: 200 }, (_, i) => i);

it('acts as the caller of each concurrent request: in receptors, nested commands, events and audit records', async () => {
  const tokens = await Promise.all(
    everybody.map((i) => {
      const claims = { sub: `user-${i}`, name: `User ${i}`, tenant_id: `tenant-${i % 7}`, roles: [`role-${i}`] };
      return signed(claimsOf(claims), secret, 'HS256');
    }),
  );
  // Each twice, so that the second uses the credential cache; some are anonymous.
  const answers = await Promise.all(
    [...everybody, ...everybody].map(async (i, turn) => {
      if (i % 10 === 0) void host.post('/browse');
      return { i, answer: await host.withToken(tokens[i]!, '/look', { note: `${i}/${turn}` }) };
    }),
  );
  for (const { i, answer } of answers) {
    expect(answer.json).toEqual({
      userId: `user-${i}`,
      tenantId: `tenant-${i % 7}`,
      userName: `User ${i}`,
      roles: [`role-${i}`],
      permissions: [],
      source: 'jwt',
      inside: `user-${i}`,
    });
  }

  const scopeOf = (i: number): object => ({
    userId: `user-${i}`,
    tenantId: `tenant-${i % 7}`,
    userName: `User ${i}`,
    roles: `role-${i}`,
    source: 'jwt',
  });
  const events = (await host.systemEvents('EventAudited')).filter(({ userId }) => userId !== undefined);
  expect(events).toHaveLength(800);
  for (const { userId, tenantId, scope, originalBody } of events) {
    const { userId: author, note } = originalBody as { userId: string; note: string };
    const i = Number(note.split('/')[0]);
    expect({ userId, tenantId, scope, author }).toEqual({
      userId: `user-${i}`,
      tenantId: `tenant-${i % 7}`,
      scope: scopeOf(i),
      author: `user-${i}`,
    });
  }
  const commands = (await host.systemEvents('CommandAudited')).filter(({ userId }) => userId !== undefined);
  expect(commands).toHaveLength(800);
  for (const { userId, userName, tenantId, scope, commandBody } of commands) {
    const i = Number((commandBody as { note: string }).note.split('/')[0]);
    expect({ userId, userName, tenantId, scope }).toEqual({
      userId: `user-${i}`,
      userName: `User ${i}`,
      tenantId: `tenant-${i % 7}`,
      scope: scopeOf(i),
    });
  }
  expect(await host.systemEvents('ScopeContextEstablished')).toHaveLength(200);
});

it('runs hooks without a caller, also if a request of a caller woke them', () => {
  expect(hooks.length).toBeGreaterThan(1000);
  expect(hooks.every((context) => context === null)).toBe(true);
});
