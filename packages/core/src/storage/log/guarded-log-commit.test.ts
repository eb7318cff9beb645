import { describe, expect, it } from 'vitest';
import type { Uuid } from '../../json/index.js';
import {
  firstIdOf,
  MessageRegistry,
  newId,
  streamTenantKey,
  wrap,
  type MessageEnvelope,
} from '../../messages/index.js';
import type { CommitRecord } from '../commit-record.js';
import { ConcurrencyConflictError } from '../concurrency-conflict-error.js';
import type { PendingRecord } from '../event-record.js';
import { ForeignStreamError } from '../foreign-stream-error.js';
import { InMemoryStorage } from '../memory/in-memory-storage.js';
import { EventLog } from './event-log.js';
import { GuardedLog } from './guarded-log.js';

class Happened {}

const messages = new MessageRegistry([
  { type: 'test.Happened', kind: 'event', class: Happened, read: () => new Happened(), write: () => '{}' },
]);

const [ofA, ofB, ofNone] = [newId(), newId(), newId()];

const scopeOf = (tenant: string | null): Record<string, string> | null =>
  tenant === null ? null : { tenantId: tenant };
const happened = (tenant: string | null): MessageEnvelope<Happened> =>
  wrap('test.Happened', new Happened(), { scope: scopeOf(tenant) });

/** An event of the host. */
function pending(streamId: Uuid, tenant: string | null, fields: Partial<PendingRecord> = {}): PendingRecord {
  const id = newId();
  const rest = { timestamp: 0, correlationId: id, causationId: null, scope: scopeOf(tenant), metadata: {} };
  return { id, type: 'test.Happened', streamId, body: '{}', ...rest, expectedPosition: undefined, ...fields };
}

/** An event of an actor of the tenant. */
const ofTenant = (streamId: Uuid, tenant: string): PendingRecord => pending(streamId, tenant, { sameTenant: true });

const record = (events: readonly PendingRecord[]): CommitRecord => ({
  events,
  outgoing: [],
  delivered: null,
  received: [],
});

class RecordingStorage extends InMemoryStorage {
  readonly attempts: CommitRecord[] = [];
  readonly asked: Uuid[] = [];
  beforeCommit: () => void = () => {};

  override commit(one: CommitRecord, signal?: AbortSignal): void {
    this.attempts.push(one);
    this.beforeCommit();
    super.commit(one, signal);
  }

  override tenantOf(streamId: Uuid): Promise<string | null> {
    this.asked.push(streamId);
    return super.tenantOf(streamId);
  }

  /** Commits what another host does. */
  elsewhere(events: readonly PendingRecord[]): void {
    super.commit(record(events));
  }
}

interface Guarded {
  readonly log: GuardedLog;
  readonly storage: RecordingStorage;
  readonly foreign: (readonly [string, string])[];
}

/** A log whose streams `ofA`, `ofB` and `ofNone` have one event each. */
function guarded(tenant: string | null, marksTenants = true): Guarded {
  const storage = new RecordingStorage();
  storage.elsewhere([pending(ofA, 'a'), pending(ofB, 'b'), pending(ofNone, null)]);
  const foreign: (readonly [string, string])[] = [];
  const reach = {
    tenant,
    authorizeSystemRead: () => Promise.resolve(tenant),
    recordForeign: (type: string, id: string) => Promise.resolve(void foreign.push([type, id])),
  };
  return { log: new GuardedLog(new EventLog(storage, messages), { marksTenants, reach }), storage, foreign };
}

describe('an event to append', () => {
  it('of an actor must be of its tenant, and its stream too', () => {
    const { log } = guarded('a');
    const event = log.eventRecord(ofA, happened('a'), { expectedPosition: 4 });
    expect(event).toMatchObject({ streamId: ofA, scope: { tenantId: 'a' }, expectedPosition: 4, sameTenant: true });
    expect(guarded('').log.eventRecord(ofNone, happened(null)).sameTenant).toBe(true);
  });

  it.each<[string, string | null, string]>([
    ['a', 'b', 'its scope names the tenant "b", and the caller acts for the tenant "a"'],
    ['a', null, 'its scope names no tenant, and the caller acts for the tenant "a"'],
    ['', 'b', 'its scope names the tenant "b", and the caller acts for no tenant'],
  ])('of an actor for "%s" cannot be of the tenant %s', (tenant, other, reason) => {
    expect(() => guarded(tenant).log.eventRecord(ofA, happened(other))).toThrow(
      expect.objectContaining({
        code: 'SVC_TENANT_MISMATCH',
        message: `test.Happened cannot be appended: ${reason}. Use runAsHost for work that crosses tenants.`,
      }),
    );
  });

  it('of the host can be of any tenant, and so can its stream', () => {
    const event = guarded(null).log.eventRecord(ofA, happened('b'), { expectedPosition: 4 });
    expect(event).toMatchObject({ streamId: ofA, scope: { tenantId: 'b' }, expectedPosition: 4, sameTenant: false });
  });
});

describe('a record of an actor', () => {
  it('is committed as it is, at once and without a query', () => {
    const { log, storage } = guarded('a');
    const one = record([ofTenant(ofA, 'a')]);
    expect(log.commit(one)).toBeUndefined();
    expect(storage.attempts).toEqual([one]);
    expect(storage.attempts[0]).toBe(one);
    expect(storage.asked).toEqual([]);
  });

  it('that appends to a stream of another tenant is rejected and recorded', async () => {
    const { log, storage, foreign } = guarded('a');
    const committing = (async () => await log.commit(record([ofTenant(ofA, 'a'), ofTenant(ofB, 'a')])))();
    await expect(committing).rejects.toThrow(ForeignStreamError);
    expect(foreign).toEqual([['stream', ofB]]);
    expect(storage.attempts).toHaveLength(1);
    expect(await storage.lastPosition(ofA)).toBe(0);
  });

  it('that is rejected for another reason is not recorded as foreign', async () => {
    const { log, foreign } = guarded('a');
    const stale = { ...ofTenant(ofA, 'a'), expectedPosition: 7 };
    await expect((async () => await log.commit(record([stale])))()).rejects.toThrow(ConcurrencyConflictError);
    expect(foreign).toEqual([]);
  });

  it('tells its unit of work that its events have new ids', () => {
    const { log, storage } = guarded('a');
    const renewals: CommitRecord[] = [];
    const late = { ...ofTenant(ofA, 'a'), id: firstIdOf(1_000) };
    void log.commit(record([late]), { renewed: (one) => renewals.push(one) });
    expect(renewals).toEqual([storage.attempts.at(-1)]);
    expect(storage.attempts).toHaveLength(2);
  });
});

describe('a record without events', () => {
  it('is committed as it is, at once, also for the host', () => {
    for (const tenant of ['a', null]) {
      const { log, storage } = guarded(tenant);
      const one = { ...record([]), received: [newId()] };
      expect(log.commit(one)).toBeUndefined();
      expect(storage.attempts[0]).toBe(one);
    }
  });

  it('fails at once if the storage does', () => {
    const { log, storage } = guarded('a');
    storage.beforeCommit = () => {
      throw new Error('full');
    };
    expect(() => log.commit(record([]))).toThrow('full');
  });
});

describe('a record of the host', () => {
  it('is committed as it is if events are not marked with tenants', () => {
    const { log, storage } = guarded(null, false);
    const one = record([pending(ofA, 'b')]);
    expect(log.commit(one)).toBeUndefined();
    expect(storage.attempts[0]).toBe(one);
    expect(storage.asked).toEqual([]);
  });

  it('tells its unit of work that its events have new ids', async () => {
    for (const marksTenants of [false, true]) {
      const { log, storage } = guarded(null, marksTenants);
      const renewals: CommitRecord[] = [];
      await log.commit(record([pending(ofA, 'a', { id: firstIdOf(1_000) })]), { renewed: (one) => renewals.push(one) });
      expect(renewals).toEqual([storage.attempts.at(-1)]);
    }
  });

  it('marks events with the tenant of their stream where their scope has another one', async () => {
    const { log, storage } = guarded(null);
    const events = [
      pending(ofA, 'b', { metadata: { note: 1 } }),
      pending(ofB, 'b'),
      pending(ofNone, 'a'),
      pending(ofA, null),
    ];
    await log.commit(record(events));
    expect(storage.attempts[0]!.events).toEqual([
      { ...events[0]!, sameTenant: true, metadata: { note: 1, [streamTenantKey]: 'a' } },
      { ...events[1]!, sameTenant: true },
      { ...events[2]!, sameTenant: true, metadata: { [streamTenantKey]: '' } },
      { ...events[3]!, sameTenant: true, metadata: { [streamTenantKey]: 'a' } },
    ]);
  });

  it('reads the tenant of each stream once', async () => {
    const { log, storage } = guarded(null);
    await log.commit(record([pending(ofA, 'a'), pending(ofB, 'b'), pending(ofA, 'b'), pending(ofA, 'a')]));
    expect(storage.asked).toEqual([ofA, ofB]);
  });

  it('gives a new stream the tenant of its first event', async () => {
    const { log, storage } = guarded(null);
    const streamId = newId();
    const events = [pending(streamId, 'a'), pending(streamId, 'b')];
    await log.commit(record(events));
    expect(storage.attempts[0]!.events).toEqual([
      { ...events[0]!, sameTenant: true },
      { ...events[1]!, sameTenant: true, metadata: { [streamTenantKey]: 'a' } },
    ]);
    expect(await storage.tenantOf(streamId)).toBe('a');
  });

  it('leaves the events of actors in it as they are', async () => {
    const { log, storage } = guarded(null);
    const events = [ofTenant(ofA, 'a'), pending(ofA, 'b')];
    await log.commit(record(events));
    expect(storage.attempts[0]!.events[0]).toBe(events[0]);
    expect(storage.attempts[0]!.events[1]!.metadata).toEqual({ [streamTenantKey]: 'a' });
  });

  it('reads the tenants again if another host has created one of its streams', async () => {
    const { log, storage, foreign } = guarded(null);
    const streamId = newId();
    const event = pending(streamId, 'b');
    storage.beforeCommit = () => {
      storage.beforeCommit = () => {};
      storage.elsewhere([{ ...pending(streamId, 'a'), id: firstIdOf(1_000) }]);
    };
    await log.commit(record([event]));
    expect(storage.attempts.map(({ events }) => events[0]!.metadata)).toEqual([{}, { [streamTenantKey]: 'a' }]);
    expect(await storage.lastPosition(streamId)).toBe(1);
    expect(foreign).toEqual([]);
  });

  it('is rejected and recorded if its stream has another tenant at each of five attempts', async () => {
    const { log, storage, foreign } = guarded(null);
    storage.beforeCommit = () => {
      throw new ForeignStreamError(ofA);
    };
    await expect(log.commit(record([pending(ofB, 'b'), pending(ofA, 'a')]))).rejects.toThrow(ForeignStreamError);
    expect(storage.attempts).toHaveLength(5);
    expect(foreign).toEqual([['stream', ofA]]);
  });

  it('is committed if the fifth attempt succeeds', async () => {
    const { log, storage, foreign } = guarded(null);
    storage.beforeCommit = () => {
      if (storage.attempts.length < 5) throw new ForeignStreamError(ofA);
    };
    await log.commit(record([pending(ofA, 'a')]));
    expect(storage.attempts).toHaveLength(5);
    expect(foreign).toEqual([]);
  });

  it('is rejected at once and recorded if an event of an actor in it is of another tenant', async () => {
    const { log, storage, foreign } = guarded(null);
    await expect(log.commit(record([pending(ofA, 'a'), ofTenant(ofB, 'a')]))).rejects.toThrow(ForeignStreamError);
    expect(storage.attempts).toHaveLength(1);
    expect(foreign).toEqual([['stream', ofB]]);
  });

  it('is rejected at once for another reason, which is not recorded as foreign', async () => {
    const { log, storage, foreign } = guarded(null);
    const stale = pending(ofA, 'a', { expectedPosition: 7 });
    await expect(log.commit(record([stale]))).rejects.toThrow(ConcurrencyConflictError);
    expect(storage.attempts).toHaveLength(1);
    expect(foreign).toEqual([]);
  });
});
