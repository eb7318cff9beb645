import assert from 'node:assert/strict';
import { commitRecord } from './records.js';
import type { StorageCase } from './storage-case.js';
import { outgoingRecord } from './storage-outbox-cases.js';

/** What the capability `leases` adds: one host at a time holds a lease. */
export const leaseCases: readonly StorageCase[] = [
  {
    name: 'grants a lane to one host at a time, and to the next one when it closes',
    async run(open) {
      const [first, second] = [await open(), await open()];
      assert.equal(await first.leases!.hold('a'), true);
      assert.equal(await second.leases!.hold('a'), false);
      assert.equal(await first.leases!.hold('a'), true, 'the holder keeps it');
      assert.equal(await second.leases!.hold('b'), true, 'another lane is independent');
      await first.close();
      assert.equal(await (await open()).leases!.hold('a'), true);
    },
  },
  {
    name: 'grants the delivery of the outbox to one host at a time, and to the next one when it closes',
    async run(open) {
      const [first, second] = [await open(), await open()];
      const outgoing = [outgoingRecord({}), outgoingRecord({ lane: 'transport' })];
      await second.commit(commitRecord({ outgoing }));
      assert.equal((await first.readOutgoing('system', 10)).length, 1);
      assert.equal((await second.readOutgoing('system', 10)).length, 0);
      assert.equal((await second.readOutgoing('transport', 10)).length, 1);
      await first.close();
      assert.equal((await (await open()).readOutgoing('system', 10)).length, 1);
    },
  },
];
