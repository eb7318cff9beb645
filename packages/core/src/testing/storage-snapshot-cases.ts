import assert from 'node:assert/strict';
import { newId } from '../messages/index.js';
import type { SnapshotRecord } from '../storage/index.js';
import type { StorageCase } from './storage-case.js';

const streamId = newId();

const snapshotAt = (position: number, fields: Partial<SnapshotRecord> = {}): SnapshotRecord => ({
  decider: 'Order',
  streamId,
  version: '1',
  position,
  eventId: newId(),
  state: JSON.stringify({ note: 'ü "quoted" \\ 𝄞', position }),
  checksum: `of ${position}`,
  ...fields,
});

/** What the capability `snapshots` adds. */
export const snapshotCases: readonly StorageCase[] = [
  {
    name: 'returns a snapshot to all hosts as it was stored, to its decider, stream and version only',
    async run(open) {
      const [one, other] = [await open(), await open()];
      const stored = snapshotAt(7);
      await one.snapshots!.write(stored, 0);
      assert.deepEqual(await other.snapshots!.read('Order', streamId, '1'), stored);
      assert.equal(await one.snapshots!.read('Orders', streamId, '1'), null);
      assert.equal(await one.snapshots!.read('Order', newId(), '1'), null);
      assert.equal(await one.snapshots!.read('Order', streamId, '2'), null);
    },
  },
  {
    name: 'keeps the snapshot at the latest position',
    async run(open) {
      const { snapshots } = await open();
      for (const position of [7, 20, 9]) await snapshots!.write(snapshotAt(position), 0);
      assert.equal((await snapshots!.read('Order', streamId, '1'))!.position, 20);
    },
  },
  {
    name: 'deletes snapshots of other versions that have fallen behind, of the same decider and stream',
    async run(open) {
      const { snapshots } = await open();
      const others = [snapshotAt(5, { decider: 'Other' }), snapshotAt(5, { streamId: newId() })];
      for (const one of others) await snapshots!.write(one, 0);
      await snapshots!.write(snapshotAt(5, { version: 'old' }), 0);
      await snapshots!.write(snapshotAt(10), 0);
      await snapshots!.write(snapshotAt(20, { version: 'new' }), 10);
      const read = async (version: string) => (await snapshots!.read('Order', streamId, version))?.position;
      assert.deepEqual([await read('old'), await read('1'), await read('new')], [undefined, 10, 20]);
      for (const { decider, streamId: stream, version } of others) {
        assert.notEqual(await snapshots!.read(decider, stream, version), null);
      }
    },
  },
];
