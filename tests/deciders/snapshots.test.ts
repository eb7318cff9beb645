import { InMemoryStorage, newId, snapshot, type Service, type Uuid } from '@svc/core';
import { around, runAs } from '@svc/core/hosting';
import type { SnapshotRecord, Storage, StorageSnapshots } from '@svc/core/storage';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDatabase } from '../postgres/test-database.js';
import { callerOf } from '../tenants/bank.js';
import {
  outcomesOf,
  reserve,
  ReserveSeats,
  SeatsReserved,
  Show,
  theater,
  type ShowState,
  type TheaterSetup,
} from './theater.js';

/** Notes from which positions streams are read. */
function watched(storage: Storage, from: number[]): Storage {
  return around(storage, {
    readStream(streamId: Uuid, fromPosition = 0) {
      from.push(fromPosition);
      return storage.readStream(streamId, fromPosition);
    },
  });
}

/** Changes the snapshots that are read. */
function changing(storage: Storage, change: (record: SnapshotRecord) => SnapshotRecord | null): Storage {
  const snapshots: StorageSnapshots = storage.snapshots!;
  return around(storage, {
    snapshots: around(snapshots, {
      async read(...asked: Parameters<StorageSnapshots['read']>) {
        const record = await snapshots.read(...asked);
        return record === null ? null : change(record);
      },
    }),
  });
}

async function reserveTimes(service: Service, showId: Uuid, times: number, seats = 1): Promise<void> {
  for (let i = 0; i < times; i++) await reserve(service, showId, seats);
  await service.idle();
}

const databases = {
  'in memory': () => Promise.resolve<Storage>(new InMemoryStorage()),
  'on SQLite': () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-deciders-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    return Promise.resolve<Storage>(sqlite({ file: join(folder, 'data.db') }));
  },
  'on PostgreSQL': async () => {
    const database = await createDatabase();
    onTestFinished(() => database.remove());
    return postgres({ url: database.url }) as Storage;
  },
};

describe.each(Object.entries(databases))('a stream with snapshots, %s', (_name, open) => {
  it('is read from the last snapshot, which is stored after every fifth event', async () => {
    const from: number[] = [];
    const service = await theater({ storage: watched(await open(), from) });
    const showId = newId();
    for (let i = 0; i < 12; i++) await reserveTimes(service, showId, 1);
    await expect(reserve(service, showId)).resolves.toBe(13);
    expect(from).toEqual([0, 0, 0, 0, 0, 4, 4, 4, 4, 4, 9, 9, 9]);
  });
});

describe('a snapshot', () => {
  it('is also stored after commands that append nothing', async () => {
    const storage = new InMemoryStorage();
    const showId = newId();
    const unwilling = around<Storage>(storage, { snapshots: { read: () => Promise.resolve(null), write: nothing } });
    await reserveTimes(await theater({ storage: unwilling }), showId, 7);
    const from: number[] = [];
    const service = await theater({ storage: watched(storage, from) });
    for (let i = 0; i < 2; i++) {
      expect(await outcomesOf([reserve(service, showId, 99)])).toEqual({ SVC_COMMAND_REJECTED: 1 });
      await service.idle();
    }
    expect(from).toEqual([0, 6]);
  });

  it.each<[string, (record: SnapshotRecord) => SnapshotRecord | null]>([
    ['was deleted', () => null],
    ['has another state', (record) => ({ ...record, state: '{"taken":0}' })],
    ['is not JSON', (record) => ({ ...record, state: '{' })],
    ['is beyond the end of its stream', (record) => ({ ...record, position: 99 })],
    ['is of another event', (record) => ({ ...record, eventId: newId() })],
  ])('does not change the state if it %s', async (_how, change) => {
    const storage = new InMemoryStorage();
    const showId = newId();
    await reserveTimes(await theater({ storage }), showId, 7);
    await expect(reserve(await theater({ storage: changing(storage, change) }), showId)).resolves.toBe(8);
  });

  it('does not change the state if the log no longer has its event', async () => {
    const [storage, restored] = [new InMemoryStorage(), new InMemoryStorage()];
    const showId = newId();
    await reserveTimes(await theater({ storage }), showId, 7);
    for (const [times, taken] of [
      [1, 2 + 1],
      [6, 3 + 12 + 1],
    ] as const) {
      await reserveTimes(await theater({ storage: restored }), showId, times, 2);
      const service = await theater({ storage: around<Storage>(restored, { snapshots: storage.snapshots }) });
      await expect(reserve(service, showId)).resolves.toBe(taken);
    }
  });

  it('is ignored by another version of its decider, and by one with other events or another state', async () => {
    const storage = new InMemoryStorage();
    const showId = newId();
    const writer = await theater({ storage });
    for (let i = 0; i < 6; i++) await reserveTimes(writer, showId, 1);
    // The result shows how many of the events are from the snapshot.
    const doubling = { create: () => Object.assign(new Show(), { evolve: doubled }) };
    const takenBy = async (setup: TheaterSetup): Promise<number> => {
      const reader = await theater({ storage: around<Storage>(storage, {}), decider: doubling, ...setup });
      return await reserve(reader, showId);
    };
    expect(await takenBy({}), 'five events, and two that count twice').toBe(5 + 2 * 2);
    expect(await takenBy({ stateSchema: { type: 'object', required: ['taken'] } })).toBe(8 * 2);
    expect(await takenBy({ decider: { ...doubling, events: [SeatsReserved, ReserveSeats] } })).toBe(9 * 2);
    snapshot({ every: 5, version: 2 })(Show);
    onTestFinished(() => snapshot({ every: 5 })(Show));
    expect(await takenBy({})).toBe(10 * 2);
  });

  it('shows nothing of a stream to a caller of another tenant', async () => {
    const service = await theater({ configure: (configured) => configured.isolateTenants() });
    const showId = newId();
    await runAs(callerOf('acme/ann'), () => reserveTimes(service, showId, 12));
    const outcomes = runAs(callerOf('evil/eve'), () =>
      outcomesOf([reserve(service, showId, 20), reserve(service, showId, 21)]),
    );
    // 20 seats are free in a show that does not exist; the stream cannot be appended to.
    expect(await outcomes).toEqual({ SVC_NOT_FOUND: 1, SVC_COMMAND_REJECTED: 1 });
    await expect(runAs(callerOf('acme/ann'), () => reserve(service, showId))).resolves.toBe(13);
  });
});

function doubled({ taken }: ShowState): ShowState {
  return { taken: taken + 2 };
}

function nothing(): Promise<void> {
  return Promise.resolve();
}
