import {
  anonymous,
  createService,
  InMemoryStorage,
  newId,
  permission,
  runAsHost,
  SystemEventStream,
  ValidationError,
  type SecurityContext,
  type Service,
  type Uuid,
} from '@svc/core';
import { around, runAs, type AuditNode, type AuditQuery } from '@svc/core/hosting';
import { systemEventRecord, type Storage } from '@svc/core/storage';
import { commitRecord, pendingRecord, type EventFields } from '@svc/core/testing';
import { afterEach, describe, expect, it } from 'vitest';

const registry = { messages: [], receptors: [], endpoints: [], openapi: { paths: {}, components: { schemas: {} } } };
const authenticator = {
  scheme: 'test',
  credentialIn: () => null,
  authenticate: () => Promise.reject(new Error('none')),
};
const services: Service[] = [];
afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.stop()));
});

const acme = auditorOf('acme');
const other = auditorOf('other');

function auditorOf(tenantId: string): SecurityContext {
  return { ...anonymous, scope: { tenantId, userId: 'eve' }, permissions: new Set([permission('system:read')]) };
}

class Log {
  readonly storage = new InMemoryStorage();
  readonly service = this.serving(this.storage);

  serving(storage: Storage): Service {
    const service = createService(registry)
      .useStorage(storage)
      .addSystemEvents()
      .addAuthentication(authenticator)
      .start();
    services.push(service);
    return service;
  }

  audit(storage?: Storage): Service['audit'] {
    return (storage === undefined ? this.service : this.serving(storage)).audit;
  }

  /** Appends an event and its audit record. */
  event(type: string, fields: EventFields = {}, note: object = { auditLevel: 0 }): Uuid {
    const event = pendingRecord(fields.streamId ?? newId(), { type, ...fields });
    this.storage.commit(commitRecord({ events: [event] }));
    const stored = { ...event, position: 0 };
    const message = { id: newId(), message: null, note: JSON.stringify(note), event: stored };
    this.storage.commit(commitRecord({ events: [systemEventRecord(message)] }));
    return event.id;
  }

  command(commandType: string, id: Uuid, fields: EventFields, causationId?: Uuid): void {
    const body = JSON.stringify({ id: newId(), commandType, commandBody: { reason: 'asked' }, causationId });
    const record = { type: 'svc.CommandAudited', body, ...fields, causationId: id };
    this.storage.commit(commitRecord({ events: [pendingRecord(SystemEventStream.streamId, record)] }));
  }
}

const ofAcme = { scope: { tenantId: 'acme', userId: 'ann' } };

describe('a query', () => {
  it('combines its conditions', async () => {
    const log = new Log();
    const streamId = newId();
    const correlationId = newId();
    log.event('a.One', { ...ofAcme, streamId, timestamp: 1_000 });
    log.event('a.Two', { ...ofAcme, streamId, timestamp: 2_000, correlationId }, { auditLevel: 1 });
    log.event('a.Two', { scope: { tenantId: 'acme', userId: 'bob' }, streamId, timestamp: 3_000 }, { auditLevel: 2 });
    log.event('a.Two', { ...ofAcme, timestamp: 4_000 });
    const audit = log.audit();
    const times = async (query: AuditQuery): Promise<number[]> =>
      (await runAsHost(() => audit.query(query))).entries.map(({ at }) => at.getTime());
    expect(await times({})).toEqual([4_000, 3_000, 2_000, 1_000]);
    expect(await times({ first: 'oldest', limit: 2 })).toEqual([1_000, 2_000]);
    expect(await times({ resource: streamId, user: 'ann' })).toEqual([2_000, 1_000]);
    expect(await times({ resource: streamId, correlation: correlationId })).toEqual([2_000]);
    expect(await times({ user: 'ann', type: ['a.Two'], from: new Date(2_000), to: new Date(4_000) })).toEqual([2_000]);
    expect(await times({ level: 'Warning' })).toEqual([3_000, 2_000]);
    expect(await times({ level: 'Critical', tenant: 'acme' })).toEqual([3_000]);
    expect(await times({ tenant: 'other' })).toEqual([]);
  });

  it('returns each record once, page by page, while others are appended', async () => {
    const log = new Log();
    for (let i = 0; i < 25; i++) log.event(i % 2 === 0 ? 'a.Even' : 'a.Odd', { ...ofAcme, timestamp: i });
    const audit = log.audit();
    const seen: number[] = [];
    let after: string | undefined;
    do {
      const page = await runAsHost(() => audit.query({ type: 'a.Even', limit: 3, after }));
      seen.push(...page.entries.map(({ at }) => at.getTime()));
      log.event('a.Even', { ...ofAcme, timestamp: 1_000 + seen.length });
      after = page.next ?? undefined;
    } while (after !== undefined);
    expect(seen).toEqual([24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0]);
  });

  it('merges the events of a resource with the access to it', async () => {
    const log = new Log();
    const streamId = newId();
    const denied = (timestamp: number): void => {
      const body = JSON.stringify({
        id: newId(),
        resourceType: 'stream',
        resourceId: streamId,
        reason: 'ScopeViolation',
      });
      const fields = { type: 'svc.AccessDenied', body, timestamp, scope: { userId: 'mallory' } };
      log.storage.commit(commitRecord({ events: [pendingRecord(SystemEventStream.streamId, fields)] }));
    };
    log.event('a.One', { ...ofAcme, streamId, timestamp: 1_000 });
    denied(2_000);
    log.event('a.Two', { ...ofAcme, streamId, timestamp: 3_000 });
    denied(4_000);
    const audit = log.audit();
    for (const first of ['oldest', 'newest'] as const) {
      const seen: string[] = [];
      for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
        const page = await runAsHost(() => audit.query({ resource: streamId, first, limit: 1, after }));
        seen.push(...page.entries.map(({ kind, result, userId }) => `${kind} ${result} ${userId}`));
        after = page.next ?? undefined;
      }
      const expected = ['event succeeded ann', 'denial denied mallory', 'event succeeded ann', 'denial denied mallory'];
      expect(seen).toEqual(first === 'oldest' ? expected : expected.toReversed());
    }
  });

  it('shows a caller the records of its own tenant only, and records attempts on streams of others', async () => {
    const log = new Log();
    const streamId = newId();
    log.event('a.One', { ...ofAcme, streamId });
    log.event('a.Two', { scope: { tenantId: 'other', userId: 'ann' } });
    const audit = log.audit();
    const types = async (caller: SecurityContext, query: AuditQuery): Promise<string[]> =>
      (await runAs(caller, () => audit.query(query))).entries.map(({ type }) => type);
    expect(await types(acme, {})).toEqual(['a.One']);
    expect(await types(other, { user: 'ann' })).toEqual(['a.Two']);
    expect(await types(other, { tenant: 'acme' })).toEqual([]);
    expect(await types(other, { resource: streamId })).toEqual([]);
    await log.service.idle();
    const denials = await runAsHost(() => audit.query({ type: 'svc.AccessDenied' }));
    expect(denials.entries).toMatchObject([{ resourceType: 'stream', resourceId: streamId, tenantId: 'other' }]);
    expect(await types(acme, { resource: streamId })).toEqual(['a.One']);
    const clerk = { ...acme, permissions: new Set([permission('orders:read')]) };
    await expect(types(clerk, {})).rejects.toMatchObject({ code: 'SVC_ACCESS_DENIED' });
  });

  it('rejects invalid conditions with all their issues, and the token of another query', async () => {
    const log = new Log();
    for (let i = 0; i < 3; i++) log.event('a.One', ofAcme);
    const audit = log.audit();
    const invalid = { resource: 'mine' as Uuid, level: 'High' as 'Info', limit: 101, from: new Date(NaN) };
    const error = await runAsHost(() => audit.query(invalid)).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ValidationError);
    const pointers = (error as ValidationError).issues.map(({ pointer }) => pointer);
    expect(pointers.toSorted()).toEqual(['/from', '/level', '/limit', '/resource']);
    const { next } = await runAsHost(() => audit.query({ limit: 1 }));
    const after = next!;
    await expect(runAsHost(() => audit.query({ limit: 2, after }))).resolves.toMatchObject({ next: null });
    await expect(runAsHost(() => audit.query({ user: 'ann', after }))).rejects.toBeInstanceOf(ValidationError);
    await expect(runAsHost(() => audit.query({ after: 'x' }))).rejects.toBeInstanceOf(ValidationError);
  });

  it('ends when it is cancelled, and with a page that continues when its time is up', async () => {
    const log = new Log();
    for (let i = 0; i < 3; i++) log.event('a.One', { ...ofAcme, timestamp: i });
    const slow = around(log.storage, {
      audit: around(log.storage.audit, {
        async readPage(range, limit) {
          await new Promise((resolve) => setTimeout(resolve, 1_200));
          return await log.storage.audit.readPage(range, Math.min(limit, 1));
        },
      }),
    });
    const audit = log.audit(slow);
    await expect(runAsHost(() => audit.query({ signal: AbortSignal.timeout(50) }))).rejects.toMatchObject({
      name: 'TimeoutError',
    });
    const { entries, next } = await runAsHost(() => audit.query({ type: 'a.One' }));
    expect(entries).toHaveLength(2);
    const rest = await runAsHost(() => log.audit().query({ type: 'a.One', after: next! }));
    expect(rest.entries.map(({ at }) => at.getTime())).toEqual([0]);
  });

  it('says that the indexes are not built yet, or that the storage has none', async () => {
    const log = new Log();
    const building = around(log.storage, {
      audit: around(log.storage.audit, { isReady: () => Promise.resolve(false) }),
    });
    const code = (audit: Service['audit']): Promise<unknown> =>
      runAsHost(() => audit.query()).catch((error: unknown) => error);
    expect(await code(log.audit(building))).toMatchObject({ code: 'SVC_AUDIT_NOT_READY' });
    const without = around<Storage>(log.storage, { audit: undefined as never });
    expect(await code(log.audit(without))).toMatchObject({ code: 'SVC_AUDIT_UNSUPPORTED' });
  });
});

describe('a trace', () => {
  it('shows everything that a request caused, across streams, below its cause', async () => {
    const log = new Log();
    const [correlationId, outer, inner] = [newId(), newId(), newId()];
    const of = { ...ofAcme, correlationId };
    const placed = log.event('a.Placed', { ...of, timestamp: 1, causationId: outer });
    log.event('a.Reserved', { ...of, timestamp: 3, causationId: inner });
    log.command('a.Reserve', inner, { ...of, timestamp: 4 }, placed);
    log.command('a.Place', outer, { ...of, timestamp: 5 });
    log.event('a.Elsewhere', ofAcme);
    const trace = await runAsHost(() => log.audit().trace(correlationId));
    const shown = ({ entry, caused }: AuditNode): unknown => ({ [entry.type]: caused.map(shown) });
    expect(trace.roots.map(shown)).toEqual([
      { 'a.Place': [{ 'a.Placed': [{ 'a.Reserve': [{ 'a.Reserved': [] }] }] }] },
    ]);
    expect(trace.isComplete).toBe(true);
    const [place] = trace.roots;
    expect(place!.entry).toMatchObject({ kind: 'command', reason: 'asked', messageId: outer, cause: null });
    expect(place!.caused[0]!.entry.cause).toEqual({ id: outer, kind: 'command', type: 'a.Place' });
  });

  it('has no entry twice and loses none if ids form a circle', async () => {
    const log = new Log();
    const [correlationId, one, two] = [newId(), newId(), newId()];
    log.command('a.One', one, { correlationId }, two);
    log.command('a.Two', two, { correlationId }, one);
    const { roots } = await runAsHost(() => log.audit().trace(correlationId));
    const types = ({ entry, caused }: AuditNode): string[] => [entry.type, ...caused.flatMap(types)];
    expect(roots.flatMap(types).toSorted()).toEqual(['a.One', 'a.Two']);
  });
});
