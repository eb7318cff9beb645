import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../errors/index.js';
import type { Uuid } from '../../json/index.js';
import { MessageRegistry, newId, streamTenantKey, SystemEventStream } from '../../messages/index.js';
import type { PendingRecord } from '../event-record.js';
import { InMemoryStorage } from '../memory/in-memory-storage.js';
import { EventLog } from './event-log.js';
import type { StreamEvent } from './event-store.js';
import { GuardedLog, type StreamReach } from './guarded-log.js';

class Happened {}

const messages = new MessageRegistry([
  { type: 'test.Happened', kind: 'event', class: Happened, read: () => new Happened(), write: () => '{}' },
]);

const [ofA, ofB, ofNone] = [newId(), newId(), newId()];
const system = SystemEventStream.streamId;

interface Fields {
  readonly tenant?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

function pending(streamId: Uuid, { tenant, metadata = {} }: Fields): PendingRecord {
  const id = newId();
  const scope = tenant === undefined ? null : { tenantId: tenant };
  const rest = { timestamp: 0, correlationId: id, causationId: null, scope, metadata, expectedPosition: undefined };
  return { id, type: 'test.Happened', streamId, body: '{}', ...rest };
}

const inA = [pending(ofA, { tenant: 'a' }), pending(ofA, { tenant: 'b', metadata: { [streamTenantKey]: 'a' } })];
const inB = [pending(ofB, { tenant: 'b' }), pending(ofB, { tenant: 'b' })];
const inNone = [pending(ofNone, {})];
const inSystem = [pending(system, { tenant: 'a' }), pending(system, { tenant: 'b' }), pending(system, {})];
const events = [...inA, ...inB, ...inNone, ...inSystem];

class CountingStorage extends InMemoryStorage {
  tenantReads = 0;

  override tenantOf(streamId: Uuid): Promise<string | null> {
    this.tenantReads++;
    return super.tenantOf(streamId);
  }
}

interface Guarded {
  readonly log: GuardedLog;
  readonly storage: CountingStorage;
  /** The accesses to resources of other tenants that were recorded. */
  readonly foreign: (readonly [string, string])[];
  /** Makes another actor call the log. */
  act(tenant: string | null, systemRead?: string | null | Error): void;
}

/** A log for an actor of a tenant; null: the host. `systemRead`: the tenant whose system events it may read, or why it may read none. */
function guarded(tenant: string | null, systemRead: string | null | Error = tenant): Guarded {
  const storage = new CountingStorage();
  for (const event of events) storage.commit({ events: [event], outgoing: [], delivered: null, received: [] });
  const foreign: (readonly [string, string])[] = [];
  const reachOf = (own: string | null, read: string | null | Error): StreamReach => ({
    tenant: own,
    authorizeSystemRead: () => (read instanceof Error ? Promise.reject(read) : Promise.resolve(read)),
    recordForeign: (type, id) => Promise.resolve(void foreign.push([type, id])),
  });
  const guard = { marksTenants: true, reach: reachOf(tenant, systemRead) };
  const act: Guarded['act'] = (own, read = own) => void (guard.reach = reachOf(own, read));
  return { log: new GuardedLog(new EventLog(storage, messages), guard), storage, foreign, act };
}

async function idsIn(read: AsyncIterable<StreamEvent>): Promise<Uuid[]> {
  const ids: Uuid[] = [];
  for await (const { envelope } of read) ids.push(envelope.id);
  return ids;
}

const idsOf = (records: readonly PendingRecord[]): Uuid[] => records.map(({ id }) => id);
const denied = new ServiceError('SVC_ACCESS_DENIED', 'no');

describe('the stream of a tenant', () => {
  it('is read by its tenant from the start without a further query', async () => {
    const { log, storage, foreign } = guarded('a');
    expect(await idsIn(log.readStream(ofA))).toEqual(idsOf(inA));
    expect(storage.tenantReads).toBe(0);
    expect(foreign).toEqual([]);
  });

  it('is read to its end, also if the host appended an event of another tenant without a mark', async () => {
    const { log, storage, foreign } = guarded('a');
    const unmarked = pending(ofA, { tenant: 'b' });
    storage.commit({ events: [unmarked], outgoing: [], delivered: null, received: [] });
    expect(await idsIn(log.readStream(ofA))).toEqual(idsOf([...inA, unmarked]));
    expect(foreign).toEqual([]);
  });

  it('is read by its tenant from a position and after an event', async () => {
    const { log, foreign } = guarded('a');
    expect(await idsIn(log.readStream(ofA, 1))).toEqual(idsOf(inA.slice(1)));
    expect(await idsIn(log.readStream(ofA, { afterEvent: inA[0]!.id }))).toEqual(idsOf(inA.slice(1)));
    expect(foreign).toEqual([]);
  });

  it('is empty for another tenant, which is recorded once', async () => {
    for (const from of [0, 1]) {
      const { log, foreign } = guarded('a');
      expect(await idsIn(log.readStream(ofB, from))).toEqual([]);
      expect(foreign).toEqual([['stream', ofB]]);
    }
  });

  it('has no event for another tenant, even if the caller knows its id', async () => {
    const { log, foreign } = guarded('a');
    const afterEvent = inB[0]!.id;
    await expect(idsIn(log.readStream(ofB, { afterEvent }))).rejects.toMatchObject({ code: 'SVC_UNKNOWN_EVENT' });
    expect(foreign).toEqual([['stream', ofB]]);
  });

  it('is not foreign if it does not exist', async () => {
    const { log, storage, foreign } = guarded('a');
    const streamId = newId();
    expect(await idsIn(log.readStream(streamId))).toEqual([]);
    expect(await idsIn(log.readStream(streamId, 1))).toEqual([]);
    expect(storage.tenantReads).toBe(1);
    expect(await log.lastPosition(streamId)).toBe(-1);
    expect(storage.tenantReads, 'no further query').toBe(1);
    expect(foreign).toEqual([]);
  });

  it('is read by the host, whatever its tenant is', async () => {
    const { log, storage, foreign } = guarded(null);
    expect(await idsIn(log.readStream(ofB))).toEqual(idsOf(inB));
    expect(await idsIn(log.readStream(ofB, 1))).toEqual(idsOf(inB.slice(1)));
    expect([storage.tenantReads, foreign]).toEqual([0, []]);
  });

  it('is read for the actor that called, even if another one iterates over the events', async () => {
    const { log, act } = guarded('a');
    const [own, foreign] = [log.readStream(ofA), log.readStream(ofB)];
    act('b');
    expect(await idsIn(own)).toEqual(idsOf(inA));
    expect(await idsIn(foreign)).toEqual([]);
  });

  it('has a last position for its tenant and the host only', async () => {
    const { log, foreign, act } = guarded('a');
    expect(await log.lastPosition(ofA)).toBe(1);
    expect(await log.lastPosition(ofB)).toBe(-1);
    expect(foreign).toEqual([['stream', ofB]]);
    act(null);
    expect(await log.lastPosition(ofB)).toBe(1);
    expect(foreign).toHaveLength(1);
  });

  it('without a tenant is read only by actors without a tenant', async () => {
    const { log, foreign, act } = guarded('');
    expect(await idsIn(log.readStream(ofNone))).toEqual(idsOf(inNone));
    expect(await idsIn(log.readStream(ofA))).toEqual([]);
    act('a');
    expect(await idsIn(log.readStream(ofNone))).toEqual([]);
    expect(foreign).toEqual([
      ['stream', ofA],
      ['stream', ofNone],
    ]);
  });
});

describe('an event', () => {
  it('is found by the tenant of its stream, also if the host appended it for another tenant', async () => {
    const { log, foreign } = guarded('a');
    for (const { id } of inA) expect((await log.findEvent(id))?.envelope.id).toBe(id);
    expect(foreign).toEqual([]);
  });

  it('is found by its tenant without the right to read system events', async () => {
    const { log } = guarded('a', denied);
    expect((await log.findEvent(inA[0]!.id))?.streamId).toBe(ofA);
  });

  it('of another tenant does not exist, which is recorded', async () => {
    const { log, foreign } = guarded('a');
    expect(await log.findEvent(inB[1]!.id)).toBeNull();
    expect(foreign).toEqual([['event', inB[1]!.id]]);
  });

  it('that does not exist is not foreign', async () => {
    const { log, storage, foreign } = guarded('a');
    expect(await log.findEvent(newId())).toBeNull();
    expect([storage.tenantReads, foreign]).toEqual([0, []]);
  });

  it('is found by the host without a further query', async () => {
    const { log, storage } = guarded(null);
    expect((await log.findEvent(inB[0]!.id))?.streamId).toBe(ofB);
    expect(storage.tenantReads).toBe(0);
  });
});

describe('the system stream', () => {
  it('has the events of the tenant whose events the actor may read', async () => {
    for (const [tenant, found] of [
      ['a', inSystem.slice(0, 1)],
      ['', inSystem.slice(2)],
      [null, inSystem],
    ] as const) {
      const { log, storage } = guarded('a', tenant);
      expect(await idsIn(log.readStream(system))).toEqual(idsOf(found));
      expect(storage.tenantReads).toBe(0);
    }
  });

  it('is read from a position', async () => {
    expect(await idsIn(guarded(null).log.readStream(system, 1))).toEqual(idsOf(inSystem.slice(1)));
  });

  it('rejects actors who may not read it, also the host, and records nothing', async () => {
    for (const tenant of ['a', null]) {
      const { log, foreign } = guarded(tenant, denied);
      await expect(idsIn(log.readStream(system))).rejects.toBe(denied);
      expect(foreign).toEqual([]);
    }
  });

  it('has a last position for actors who may read it', async () => {
    const { log, foreign, act } = guarded('a', 'a');
    expect(await log.lastPosition(system)).toBe(2);
    act('a', denied);
    await expect(log.lastPosition(system)).rejects.toBe(denied);
    act(null, denied);
    expect(await log.lastPosition(system)).toBe(2);
    expect(foreign).toEqual([]);
  });

  it('has each event for actors who may read it', async () => {
    const { log, storage, foreign, act } = guarded('a');
    expect((await log.findEvent(inSystem[0]!.id))?.streamId).toBe(system);
    act('a', null);
    expect((await log.findEvent(inSystem[1]!.id))?.streamId).toBe(system);
    expect([storage.tenantReads, foreign]).toEqual([0, []]);
  });

  it('has no event of another tenant, which is recorded', async () => {
    const { log, foreign, act } = guarded('a');
    expect(await log.findEvent(inSystem[1]!.id)).toBeNull();
    // An actor without access learns no more than one with access.
    for (const code of ['SVC_ACCESS_DENIED', 'SVC_UNAUTHENTICATED'] as const) {
      act('a', new ServiceError(code, 'no'));
      expect(await log.findEvent(inSystem[1]!.id)).toBeNull();
    }
    const access = ['event', inSystem[1]!.id];
    expect(foreign).toEqual([access, access, access]);
  });

  it('rejects actors who may not read an event of their own tenant, and the host', async () => {
    const { log, foreign, act } = guarded('a', denied);
    await expect(log.findEvent(inSystem[0]!.id)).rejects.toBe(denied);
    act(null, denied);
    await expect(log.findEvent(inSystem[0]!.id)).rejects.toBe(denied);
    expect(foreign).toEqual([]);
  });

  it('reports failures of the authorization itself', async () => {
    const failures = [new Error('SVC_ACCESS_DENIED'), new ServiceError('SVC_STORAGE_UNAVAILABLE', 'away')];
    const coded = Object.assign(new Error('not of svc'), { code: 'SVC_ACCESS_DENIED' });
    for (const failure of [...failures, coded]) {
      const { log, foreign } = guarded('a', failure);
      await expect(log.findEvent(inSystem[1]!.id)).rejects.toBe(failure);
      expect(foreign).toEqual([]);
    }
  });
});

describe('the whole log', () => {
  it('has the events of the tenant whose system events the actor may read', async () => {
    expect(await idsIn(guarded('a').log.readAll())).toEqual(idsOf([...inA, inSystem[0]!]));
    expect(await idsIn(guarded('').log.readAll())).toEqual(idsOf([...inNone, inSystem[2]!]));
    expect(await idsIn(guarded(null).log.readAll())).toEqual(idsOf(events));
  });

  it('is read after a sequence number', async () => {
    expect(await idsIn(guarded(null).log.readAll(3))).toEqual(idsOf(events.slice(4)));
  });

  it('rejects actors who may not read system events', async () => {
    await expect(idsIn(guarded('a', denied).log.readAll())).rejects.toBe(denied);
  });

  it('is read for the actor that called, even if another one iterates over the events', async () => {
    const { log, act } = guarded('a');
    const read = log.readAll();
    act(null);
    expect(await idsIn(read)).toEqual(idsOf([...inA, inSystem[0]!]));
  });
});
