import assert from 'node:assert/strict';
import { newId } from '../messages/index.js';
import { digestOf, EventDigests, readLog } from '../seals/index.js';
import type { OutgoingRecord, SealRecord, StoredRecord } from '../storage/index.js';
import { commitRecord, pendingRecord, randomText } from './records.js';
import type { StorageCase } from './storage-case.js';

const bytes = (...values: number[]): Uint8Array => Buffer.from(values);

const sealOf = (number: number, fields: Partial<SealRecord> = {}): SealRecord => ({
  number,
  size: number * 3,
  lastSequence: number * 5,
  checkpoint: JSON.stringify({ note: 'ü "quoted" \\ 𝄞', number }),
  frontier: bytes(0, 255, 10, number),
  entries: bytes(number, 0, 13, 10, 128),
  ...fields,
});

/** Buffers and arrays of bytes are equal if their bytes are. */
const plain = ({ frontier, entries, ...rest }: SealRecord) => ({
  ...rest,
  frontier: [...frontier],
  entries: [...entries],
});

function outgoing(): OutgoingRecord {
  const id = newId();
  const message = {
    id,
    type: 'a.B',
    body: '{}',
    timestamp: 1,
    correlationId: id,
    causationId: null,
    scope: null,
    metadata: {},
  };
  return { id, lane: 'system', destination: 'somewhere', message, note: null, eventId: null };
}

/** Events whose parts are hard to digest. */
const unusual = [
  { scope: { userId: 'ü', tenantId: 't' }, metadata: { b: [1, { d: 2, c: 3 }], a: '€' } },
  { type: 'test."Quoted"\\𝄞', causationId: newId() },
  { body: JSON.stringify({ text: 'ü 𝄞 \ufffd', number: 1.5 }) },
  { body: JSON.stringify(randomText()) },
  { timestamp: 0, metadata: { number: 1e21 } },
];

/** What the capability `seals` adds. */
export const sealCases: readonly StorageCase[] = [
  {
    name: 'returns seals to all hosts as they were stored, in their order',
    async run(open) {
      const [one, other] = [await open(), await open()];
      assert.equal(await one.seals!.readLast(), null);
      for (const number of [1, 2, 3]) assert.equal(await one.seals!.append(sealOf(number), []), true);
      const read = await other.seals!.read(0, 10);
      assert.deepEqual(
        read.map(plain),
        [1, 2, 3].map((number) => plain(sealOf(number))),
      );
      assert.deepEqual(
        (await other.seals!.read(1, 1)).map(({ number }) => number),
        [2],
      );
      const last = await other.seals!.readLast();
      assert.deepEqual(
        [last!.number, last!.size, last!.lastSequence, [...last!.frontier]],
        [3, 9, 15, [0, 255, 10, 3]],
      );
    },
  },
  {
    name: 'stores a number once and without gaps, and queues the messages of what it stores',
    async run(open) {
      const [one, other] = [await open(), await open()];
      const stored = outgoing();
      assert.equal(await one.seals!.append(sealOf(1), [stored]), true);
      assert.equal(await other.seals!.append(sealOf(1, { checkpoint: 'another' }), [outgoing()]), false);
      assert.equal(await other.seals!.append(sealOf(3), [outgoing()]), false);
      assert.deepEqual((await one.seals!.read(0, 10)).map(plain), [plain(sealOf(1))]);
      const queued = await one.readOutgoing('system', 10);
      assert.deepEqual(
        queued.map(({ id }) => id),
        [stored.id],
      );
    },
  },
  {
    name: 'lets one of several concurrent hosts store a seal',
    async run(open) {
      const hosts = [await open(), await open(), await open()];
      const outcomes = await Promise.all(
        hosts.map((host, index) => host.seals!.append(sealOf(1, { size: index + 1 }), [outgoing()])),
      );
      assert.equal(outcomes.filter(Boolean).length, 1);
      assert.equal((await hosts[0]!.seals!.read(0, 10))[0]!.size, outcomes.indexOf(true) + 1);
      assert.equal((await hosts[0]!.readOutgoing('system', 10)).length, 1);
    },
  },
  {
    name: 'records what each anchor has received, and never goes back',
    async run(open) {
      const { seals } = await open();
      await seals!.recordAnchored('file', 4);
      await seals!.recordAnchored('http', 1);
      await seals!.recordAnchored('file', 2);
      assert.deepEqual(Object.fromEntries(await seals!.readAnchored()), { file: 4, http: 1 });
    },
  },
  {
    name: 'supplies the events to digest as they are read',
    async run(open) {
      const storage = await open();
      for (let i = 0; i < 40; i++) {
        const fields = i % 4 === 3 ? unusual[((i - 3) / 4) % unusual.length] : {};
        await storage.commit(commitRecord({ events: [pendingRecord(newId(), fields)] }));
      }
      const records: StoredRecord[] = [];
      for await (const record of storage.readAll()) records.push(record);
      for (const [after, size] of [
        [0, 1],
        [0, 3],
        [0, 1_000],
        [17, 7],
      ] as const) {
        const leaves: Buffer[] = [];
        for await (const page of readLog(storage, after === 0 ? -1 : records[after - 1]!.sequence, size)) {
          const digests = new EventDigests(page);
          assert.ok(digests.count > 0 && digests.count <= size);
          leaves.push(digests.leaves);
        }
        const expected = records.slice(after).map((record) => digestOf(record).leaf);
        assert.equal(Buffer.concat(leaves).toString('hex'), Buffer.concat(expected).toString('hex'));
      }
    },
  },
];
