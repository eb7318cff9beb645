import { describe, expect, it, vi } from 'vitest';
import { newId, timeOfId } from '../messages/index.js';
import { LateEventError, type CommitRecord } from '../storage/index.js';
import {
  MigrationBatchStarted,
  MigrationItemCompleted,
  MigrationItemFailed,
  MigrationItemStarted,
  MigrationBatchCompleted,
  MigrationStrategy,
} from '../system-events/index.js';
import { emittedBatch, itemStarted, newBatch, type MigrationBatch } from './migration-batch.js';
import type { MigrationDatabase } from './migration-database.js';
import { MigrationEmission, type DatedMigrationEvent, type MigrationEventTarget } from './migration-emission.js';
import { migrationEventOf } from './migration-event.js';

const item = (key: string) =>
  ({ item: { kind: 'sql', key, creates: key, steps: [] }, hash: key, stepHashes: [] }) as const;
const startOf = (key: string) => itemStarted(key, MigrationStrategy.DirectDdl, null, 17);

/** A database with batches. */
class Database {
  batches: MigrationBatch[];
  /** What was committed with the events of each batch. */
  readonly committed: (CommitRecord | null)[] = [];
  reads = 0;

  constructor(...batches: MigrationBatch[]) {
    this.batches = batches;
  }

  readonly asDatabase = {
    batches: () => {
      this.reads++;
      return Promise.resolve([...this.batches]);
    },
    emit: (batch: MigrationBatch, record: CommitRecord | null) => Promise.resolve(this.emit(batch, record)),
  } as unknown as MigrationDatabase;

  emit(batch: MigrationBatch, record: CommitRecord | null): boolean {
    const stored = this.batches.find(({ streamId }) => streamId === batch.streamId);
    if (stored?.version !== batch.version) return false;
    const next = emittedBatch(stored);
    this.batches = this.batches.flatMap((known) => (known === stored ? (next ?? []) : known));
    this.committed.push(record);
    return true;
  }
}

/** A host that emits events. Null: its service has no system events. */
function targetOf(recordOf: (count: number) => CommitRecord | null = (count) => recordWith(count)) {
  const emitted: (readonly DatedMigrationEvent[])[] = [];
  const ways: string[] = [];
  const queued = vi.fn<() => void>();
  const target: MigrationEventTarget = {
    recordOf(events, way) {
      emitted.push(events);
      ways.push(way);
      return recordOf(events.length);
    },
    queued,
  };
  return { target, emitted, ways, queued };
}

const recordWith = (count: number) =>
  ({ events: [], outgoing: [], delivered: null, received: [], count }) as CommitRecord;

function emissionOn(database: Database, target?: MigrationEventTarget): MigrationEmission {
  const emission = new MigrationEmission(database.asDatabase);
  if (target !== undefined) emission.emitTo(target);
  emission.pending();
  return emission;
}

describe('the emission', () => {
  it('commits the events of each batch with their times, in order, and removes them from the batch', async () => {
    const [first, second] = [startOf('a')(newBatch([item('a')])), newBatch([item('b')])];
    const database = new Database(first, second);
    const { target, emitted, ways, queued } = targetOf();
    await emissionOn(database, target).emitted();
    expect(emitted.map((events) => events.map(({ event }) => event.constructor))).toEqual([
      [MigrationBatchStarted, MigrationItemStarted],
      [MigrationBatchStarted],
    ]);
    expect(emitted[0]![1]).toMatchObject({ at: 17, event: { streamId: first.streamId, migrationKey: 'a' } });
    expect(database.committed).toEqual([recordWith(2), recordWith(1)]);
    expect(database.batches.map(({ events }) => events)).toEqual([[], []]);
    expect(ways).toEqual(['outbox', 'outbox']);
    expect(queued).toHaveBeenCalledTimes(2);
  });

  it('appends to the system stream for a host that will not run, and then has nothing to deliver', async () => {
    const { target, ways, queued } = targetOf();
    await emissionOn(new Database(newBatch([])), target).emitted('stream');
    expect(ways).toEqual(['stream']);
    expect(queued).not.toHaveBeenCalled();
  });

  it('discards the events of a service without system events', async () => {
    const database = new Database(newBatch([]));
    const { target, queued } = targetOf(() => null);
    await emissionOn(database, target).emitted();
    expect(database.committed).toEqual([null]);
    expect(database.batches[0]!.events).toEqual([]);
    expect(queued).not.toHaveBeenCalled();
  });

  it('skips batches without events', async () => {
    const database = new Database({ ...newBatch([]), events: [] }, newBatch([]));
    const { target, emitted } = targetOf();
    await emissionOn(database, target).emitted();
    expect(emitted).toHaveLength(1);
  });

  it('waits for a target', async () => {
    const database = new Database(newBatch([]));
    const emission = emissionOn(database);
    await emission.emitted();
    expect(database.reads).toBe(0);
    const { target, emitted } = targetOf();
    emission.emitTo(target);
    await emission.emitted();
    expect(emitted).toHaveLength(1);
  });

  it('reads batches only if there may be events, and not again until there may be further ones', async () => {
    const database = new Database(newBatch([]));
    const { target, emitted } = targetOf();
    const emission = new MigrationEmission(database.asDatabase);
    emission.emitTo(target);
    await emission.emitted();
    expect(database.reads).toBe(0);
    emission.pending();
    await emission.emitted();
    const { reads } = database;
    expect(reads).toBe(2);
    await emission.emitted();
    expect(database.reads).toBe(reads);
    database.batches.push(newBatch([]));
    emission.pending();
    await emission.emitted();
    expect(emitted).toHaveLength(2);
  });

  it('reads a batch again if it has changed since it was read, and has nothing to deliver for the lost attempt', async () => {
    const batch = newBatch([item('a')]);
    const database = new Database(batch);
    const { target, emitted, queued } = targetOf((count) => {
      if (count === 1) database.batches = [{ ...startOf('a')(batch), version: 1 }];
      return recordWith(count);
    });
    await emissionOn(database, target).emitted();
    expect(emitted.map((events) => events.length)).toEqual([1, 2]);
    expect(database.committed).toEqual([recordWith(2)]);
    expect(queued).toHaveBeenCalledTimes(1);
  });

  it('creates greater ids if the system stream has greater ones than the record', async () => {
    const database = new Database(newBatch([]));
    const latest = idAfter(newId());
    const emit = vi.spyOn(database, 'emit').mockImplementationOnce(() => {
      throw new LateEventError(new Map([[newId(), latest]]));
    });
    const ids: string[] = [];
    const { target, queued } = targetOf((count) => {
      ids.push(newId());
      return recordWith(count);
    });
    await emissionOn(database, target).emitted();
    expect(emit).toHaveBeenCalledTimes(2);
    expect(ids[0]! < latest).toBe(true);
    expect(ids[1]! > latest).toBe(true);
    expect(queued).toHaveBeenCalledTimes(1);
  });
});

describe('after an error', () => {
  it('the call rejects, and the next one emits what remains', async () => {
    const database = new Database(newBatch([]));
    vi.spyOn(database, 'emit').mockImplementationOnce(() => {
      throw new Error('no room');
    });
    const { target, queued } = targetOf();
    const emission = emissionOn(database, target);
    await expect(emission.emitted()).rejects.toThrow('no room');
    expect(queued).not.toHaveBeenCalled();
    await emission.emitted();
    expect(database.committed).toEqual([recordWith(1)]);
    expect(queued).toHaveBeenCalledTimes(1);
  });

  it('a call that waits for the failed one still emits', async () => {
    const database = new Database(newBatch([]));
    vi.spyOn(database, 'emit').mockImplementationOnce(() => {
      throw new Error('no room');
    });
    const emission = emissionOn(database, targetOf().target);
    const [first, second] = await Promise.allSettled([emission.emitted(), emission.emitted('stream')]);
    expect([first.status, second.status]).toEqual(['rejected', 'fulfilled']);
    expect(database.batches[0]!.events).toEqual([]);
  });
});

it('calls emit one after the other, so that none is emitted twice', async () => {
  const database = new Database(newBatch([]), newBatch([]));
  const { target, emitted } = targetOf();
  const emission = emissionOn(database, target);
  await Promise.all([emission.emitted(), emission.emitted(), emission.emitted()]);
  expect(emitted).toHaveLength(2);
  expect(database.committed).toHaveLength(2);
});

it.each([
  ['MigrationBatchStarted', MigrationBatchStarted],
  ['MigrationItemStarted', MigrationItemStarted],
  ['MigrationItemCompleted', MigrationItemCompleted],
  ['MigrationItemFailed', MigrationItemFailed],
  ['MigrationBatchCompleted', MigrationBatchCompleted],
] as const)('a stored %s becomes an event of its class, with its fields', (type, eventClass) => {
  const event = migrationEventOf({ type, at: 17, body: { streamId: 'x', migrationKey: 'a' } });
  expect(event).toBeInstanceOf(eventClass);
  expect(event).toEqual(Object.assign(new eventClass(), { streamId: 'x', migrationKey: 'a' }));
});

/** An id of the next milliseconds. */
function idAfter(id: ReturnType<typeof newId>): ReturnType<typeof newId> {
  const digits = (timeOfId(id)! + 50).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}${id.slice(13)}` as typeof id;
}
