import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
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
    name: 'grants a lane that its host has released to another host at once, and tells it',
    async run(open) {
      const [first, second] = [await open(), await open()];
      assert.equal(await first.leases!.hold('a'), true);
      assert.equal(await first.leases!.hold('b'), true);
      assert.equal(await second.leases!.hold('a'), false);
      const calls: number[] = [];
      second.leases!.onReleased(() => calls.push(Date.now()));
      await first.leases!.release('a');
      const started = Date.now();
      while (calls.length === 0) {
        assert.ok(Date.now() - started < 20_000, 'No listener was called within 20 s.');
        await sleep(20);
      }
      assert.equal(await second.leases!.hold('a'), true);
      assert.equal(await first.leases!.hold('a'), false);
      assert.equal(await second.leases!.hold('b'), false, 'another lease of the first host remains');
    },
  },
  {
    name: 'reads the leases of all hosts whose lanes start with a prefix',
    async run(open) {
      const [first, second] = [await open(), await open()];
      await first.leases!.hold('work/a');
      await second.leases!.hold('work/b');
      await second.leases!.hold('other/c');
      const held = await first.leases!.readHeld('work/');
      assert.deepEqual(
        held.map(({ lane, isOwn }) => ({ lane, isOwn })),
        [
          { lane: 'work/a', isOwn: true },
          { lane: 'work/b', isOwn: false },
        ],
      );
      assert.notEqual(held[0]!.holder, held[1]!.holder);
      for (const { process, expiresInMs } of held) {
        assert.match(process!, /:\d+$/);
        assert.ok(expiresInMs > 0);
      }
      await second.leases!.release('work/b');
      assert.deepEqual(
        (await first.leases!.readHeld('work/')).map(({ lane }) => lane),
        ['work/a'],
      );
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
