import assert from 'node:assert/strict';
import { newId } from '../messages/index.js';
import {
  archiveEvents,
  around,
  type ArchiveStore,
  type Storage,
  type StorageArchive,
  type StoredRecord,
} from '../storage/index.js';
import { MemoryArchive } from './memory-archive.js';
import { noChanges } from './perspective-records.js';
import { collect, commitRecord, pendingRecord, randomText } from './records.js';
import type { OpenStorage, StorageCase } from './storage-case.js';

const streams = [newId(), newId(), newId()];
const types = ['test.One', 'test.Two'];
const odd = { nul: 'a\u0000b', half: '\ud800', quote: '"\\]', emoji: '😀', line: '\u2028\n', number: 1e21 };
const [old, recent] = [1_700_000_000_000, 1_800_000_000_000];
const before = new Date(old + 1);

interface Filled {
  readonly storage: Storage;
  readonly archive: StorageArchive;
  readonly store: MemoryArchive;
}

/** A log of 30 old events in three streams, one of them large, and 6 recent ones. */
async function filled(open: OpenStorage): Promise<Filled> {
  const storage = await open();
  for (let i = 0; i < 36; i++) {
    const body = JSON.stringify({ n: i, odd, text: i === 7 ? randomText() : '' });
    const fields = { type: types[i % 2]!, body, timestamp: i < 30 ? old : recent, scope: { tenantId: 'a' } };
    await storage.commit(commitRecord({ events: [pendingRecord(streams[i % 3]!, fields)] }));
  }
  const store = new MemoryArchive();
  storage.archive!.use(store);
  return { storage, archive: storage.archive!, store };
}

/** Everything that can be read of the events, in every way there is. */
async function readEvery(storage: Storage): Promise<unknown> {
  const all = await collect(storage.readAll());
  const pages = storage.replay === undefined ? [] : await collect(storage.replay.readReplayPages(-1, 20, types));
  return {
    all,
    after: await collect(storage.readAll(all[4]!.sequence)),
    streams: await Promise.all(streams.map((stream) => collect(storage.readStream(stream)))),
    later: await collect(storage.readStream(streams[1]!, 3)),
    positions: await collect(storage.readPositions(streams[1]!, [0, 2, 11])),
    found: await Promise.all(all.map(({ id }) => storage.findEvent(id))),
    places: await Promise.all(all.map(({ id }) => storage.findPlace(id))),
    parsed: pages.flatMap(({ records }) =>
      records.map(({ sequence, ...record }) => {
        return [sequence, 'content' in record ? record.content : (JSON.parse(record.body) as unknown)];
      }),
    ),
    ends: await storage.replay?.readStreamEnds(types),
    tenants: await Promise.all(streams.map((stream) => storage.tenantOf(stream))),
  };
}

/** The bodies that the database itself has: without a store, it cannot read the others. */
async function archivedCount(archive: StorageArchive): Promise<number> {
  return (await archive.readFiles()).reduce((sum, { events }) => sum + events, 0);
}

/** A store that fails at its n-th call. */
function failingAt(store: ArchiveStore, nth: number): ArchiveStore {
  let calls = 0;
  const count = (): void => {
    if (++calls === nth) throw new Error('killed');
  };
  return around(store, {
    async write(name, content) {
      count();
      await store.write(name, content);
      count();
    },
    async read(name) {
      const content = await store.read(name);
      count();
      return content;
    },
  });
}

/** What the capability `archive` adds. */
export const archiveCases: readonly StorageCase[] = [
  {
    name: 'reads archived events exactly as before: in the log, by stream, position, id and type',
    async run(open) {
      const { storage, archive, store } = await filled(open);
      const expected = await readEvery(storage);
      const files = await archiveEvents(storage, store, { before });
      assert.equal(files.length, 1);
      assert.deepEqual([...store.files.keys()], [files[0]!.name]);
      assert.equal(await archivedCount(archive), 30);
      assert.deepEqual(await readEvery(storage), expected);
      const other = await open();
      other.archive!.use(store);
      assert.deepEqual(await readEvery(other), expected);
    },
  },
  {
    name: 'archives nothing twice, and continues after the last file',
    async run(open) {
      const { storage, archive, store } = await filled(open);
      const expected = await readEvery(storage);
      await archiveEvents(storage, store, { before });
      assert.deepEqual(await archiveEvents(storage, store, { before }), []);
      const [file] = await archiveEvents(storage, store, { before: new Date(recent + 1) });
      assert.deepEqual([file!.number, file!.events], [2, 6]);
      assert.equal(await archivedCount(archive), 36);
      assert.deepEqual(await readEvery(storage), expected);
    },
  },
  {
    name: 'removes no body if archiving is interrupted, and archives all of them the next time',
    async run(open) {
      const { storage, archive, store } = await filled(open);
      const expected = await readEvery(storage);
      for (const nth of [1, 2, 3]) {
        await assert.rejects(archiveEvents(storage, failingAt(store, nth), { before }), /killed/);
        assert.equal(await archivedCount(archive), 0);
        assert.deepEqual(await readEvery(storage), expected);
      }
      // Killed after the comparison: the database has not recorded the file.
      const killed = around(storage, {
        archive: around(archive, { commitFile: () => Promise.reject(new Error('killed')) }),
      });
      await assert.rejects(archiveEvents(killed, store, { before }), /killed/);
      assert.equal(await archivedCount(archive), 0);
      await archiveEvents(storage, store, { before });
      assert.equal(store.files.size, 1);
      assert.deepEqual(await readEvery(storage), expected);
    },
  },
  {
    name: 'removes no body if the file that is read back differs',
    async run(open) {
      const { storage, archive, store } = await filled(open);
      const expected = await readEvery(storage);
      const forgetful = around<ArchiveStore>(store, { read: () => Promise.resolve(null) });
      await assert.rejects(archiveEvents(storage, forgetful, { before }), { code: 'SVC_ARCHIVE_DAMAGED' });
      const shortening = around<ArchiveStore>(store, {
        read: async (name) => (await store.read(name))!.subarray(0, 100),
      });
      await assert.rejects(archiveEvents(storage, shortening, { before }), { code: 'SVC_ARCHIVE_DAMAGED' });
      assert.equal(await archivedCount(archive), 0);
      assert.deepEqual(await readEvery(storage), expected);
    },
  },
  {
    name: 'removes no body if one of the events is not in the database with its body',
    async run(open) {
      const { storage, archive, store } = await filled(open);
      const all = await collect(storage.readAll());
      const [file] = await archiveEvents(storage, store, { before });
      const again = { ...file!, number: 2, name: 'again', firstSequence: 0, lastSequence: 1 };
      const sequences = all.slice(29, 31).map(({ sequence }) => sequence);
      await assert.rejects(archive.commitFile(again, sequences), { code: 'SVC_ARCHIVE_REFUSED' });
      assert.equal((await archive.readFiles()).length, 1);
      assert.equal(await archivedCount(archive), 30);
    },
  },
  {
    name: 'names the file that is missing or damaged, and skips no event',
    async run(open) {
      const { storage, store } = await filled(open);
      const [file] = await archiveEvents(storage, store, { before });
      const content = store.files.get(file!.name)!;
      const damaged = Uint8Array.from(content, (byte, i) => (i === content.length - 20 ? byte ^ 1 : byte));
      for (const change of [() => store.files.delete(file!.name), () => store.files.set(file!.name, damaged)]) {
        change();
        const reader = await open();
        reader.archive!.use(store);
        const isNamed = { code: 'SVC_ARCHIVE_DAMAGED', file: file!.name };
        await assert.rejects(collect(reader.readAll()), isNamed);
        await assert.rejects(collect(reader.readStream(streams[0]!)), isNamed);
        await assert.rejects(collect(reader.replay!.readReplayPages(-1, 20, types)), isNamed);
        assert.equal((await collect(reader.readStream(streams[0]!, 10))).length, 2);
      }
      const without = await open();
      await assert.rejects(collect(without.readAll()), { code: 'SVC_ARCHIVE_MISSING', file: file!.name });
      store.files.set(file!.name, content);
      assert.equal((await collect(storage.readAll())).length, 36);
    },
  },
  {
    name: 'archives only to the place that has the earlier files',
    async run(open) {
      const { storage, archive, store } = await filled(open);
      await archiveEvents(storage, store, { before });
      const later = { before: new Date(recent + 1) };
      await assert.rejects(archiveEvents(storage, new MemoryArchive(), later), { code: 'SVC_ARCHIVE_REFUSED' });
      assert.equal(await archivedCount(archive), 30);
      await archiveEvents(storage, store, later);
      assert.equal(await archivedCount(archive), 36);
    },
  },
  {
    name: 'keeps positions, ids and tenants of archived streams',
    async run(open) {
      const { storage, store } = await filled(open);
      const [stream] = streams;
      const [first] = await collect(storage.readStream(stream!));
      await archiveEvents(storage, store, { before: new Date(recent + 1) });
      assert.equal(await storage.lastPosition(stream!), 11);
      assert.equal(await storage.positionOf(stream!, first!.id), 0);
      const appended = pendingRecord(stream!, { expectedPosition: 11 });
      await storage.commit(commitRecord({ events: [appended] }));
      assert.deepEqual((await collect(storage.readStream(stream!))).map(({ position }) => position).at(-1), 12);
      const stale = pendingRecord(stream!, { expectedPosition: 11 });
      await assert.rejects(async () => await storage.commit(commitRecord({ events: [stale] })), {
        code: 'SVC_CONCURRENCY_CONFLICT',
      });
      const received = { ...pendingRecord(newId()), id: first!.id };
      await assert.rejects(async () => await storage.commit(commitRecord({ events: [received] })), {
        code: 'SVC_DUPLICATE_EVENT',
      });
      const foreign = pendingRecord(stream!, { scope: { tenantId: 'b' }, sameTenant: true });
      await assert.rejects(async () => await storage.commit(commitRecord({ events: [foreign] })));
      assert.equal(await storage.tenantOf(stream!), 'a');
    },
  },
  {
    name: 'reads an outgoing message about an archived event',
    async run(open) {
      const { storage, store } = await filled(open);
      const [event] = await collect(storage.readAll());
      await archiveEvents(storage, store, { before });
      const message = { lane: 'transport', destination: 'd', message: null, note: null, eventId: event!.id } as const;
      await storage.commit(commitRecord({ outgoing: [{ id: newId(), ...message }] }));
      const [outgoing] = await storage.readOutgoing('transport', 10);
      assert.deepEqual(outgoing!.event, event satisfies StoredRecord | undefined);
    },
  },
  {
    name: 'archives no event that waits in the outbox',
    async run(open) {
      const { storage, archive, store } = await filled(open);
      const [event] = await collect(storage.readAll());
      const message = { lane: 'transport', destination: 'd', message: null, note: null, eventId: event!.id } as const;
      const id = newId();
      await storage.commit(commitRecord({ outgoing: [{ id, ...message }] }));
      await assert.rejects(archiveEvents(storage, store, { before }), { code: 'SVC_ARCHIVE_REFUSED' });
      assert.equal(await archivedCount(archive), 0);
      await storage.commit(commitRecord({ delivered: { lane: 'transport', ids: [id] } }));
      await archiveEvents(storage, store, { before });
      assert.equal(await archivedCount(archive), 30);
    },
  },
  {
    name: 'archives no event that a perspective has not processed',
    async run(open) {
      const { storage, archive, store } = await filled(open);
      const perspectives = storage.perspectives!;
      const all = await collect(storage.readAll());
      const advance = async (to: number): Promise<void> => {
        const from = await perspectives.readProgress('p');
        await perspectives.commitPerspective({ perspective: 'p', from, to, ...noChanges });
      };
      await advance(all[28]!.sequence);
      await assert.rejects(archiveEvents(storage, store, { before }), /perspective p has not processed them/);
      assert.equal(await archivedCount(archive), 0);
      await advance(all[29]!.sequence);
      await archiveEvents(storage, store, { before });
      assert.equal(await archivedCount(archive), 30);
    },
  },
  {
    name: 'lets one process archive at a time',
    async run(open) {
      const { storage, archive, store } = await filled(open);
      const other = await open();
      let attempt: Promise<unknown> = Promise.resolve();
      const slow = around<ArchiveStore>(store, {
        async write(name, content) {
          attempt = assert.rejects(archiveEvents(other, store, { before }), { code: 'SVC_ARCHIVE_REFUSED' });
          await attempt;
          await store.write(name, content);
        },
      });
      await archiveEvents(storage, slow, { before });
      await attempt;
      assert.equal(await archivedCount(archive), 30);
    },
  },
];
