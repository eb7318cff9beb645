import assert from 'node:assert/strict';
import type { ActivityRange, HostActivity, Storage } from '../storage/index.js';
import { eventually } from './transport-messages.js';
import type { StorageCase } from './storage-case.js';

const hour = 60 * 60 * 1000;
/** A multiple of all steps. */
const start = 1_800_000_000_000;
const everything: ActivityRange = { from: 0, to: start + 24 * hour, stepMs: 60_000 };

function activity(changes: Partial<HostActivity> = {}): HostActivity {
  return {
    version: '1.2.0',
    library: '0.1.0',
    startedAt: start - hour,
    at: start,
    everyMs: 10_000,
    commands: 3,
    rejected: 1,
    failed: 0,
    durations: { 10: 2, 25: 1 },
    ...changes,
  };
}

const record = (storage: Storage, changes?: Partial<HostActivity>): Promise<void> =>
  storage.hosts!.record(activity(changes), hour);

/** What the capability `hosts` adds. */
export const hostCases: readonly StorageCase[] = [
  {
    name: 'shows a host that has recorded activity, until it leaves',
    async run(open) {
      const storage = await open();
      assert.deepEqual(await storage.hosts!.read(10), []);
      await record(storage, { version: null });
      const [host, ...others] = await storage.hosts!.read(10);
      assert.deepEqual(others, []);
      const { version, library, startedAt, isOwn } = host!;
      assert.deepEqual([version, library, startedAt, isOwn], [null, '0.1.0', start - hour, true]);
      assert.ok(host!.seenMsAgo >= 0 && host!.seenMsAgo < 30_000, `seen ${host!.seenMsAgo} ms ago`);
      await storage.hosts!.leave();
      assert.deepEqual(await storage.hosts!.read(10), []);
      assert.equal((await storage.hosts!.readActivity(everything)).length, 1);
    },
  },
  {
    name: 'shows a host under the id that holds its leases',
    async run(open) {
      const storage = await open();
      if (storage.leases === undefined) return;
      await record(storage);
      await storage.leases.hold('some work');
      const [lease] = await storage.leases.readHeld('some work');
      const [host] = await storage.hosts!.read(10);
      assert.deepEqual([host!.id, host!.process], [lease!.holder, lease!.process]);
    },
  },
  {
    name: 'shows all hosts to each of them, the first started first, up to a limit',
    async run(open) {
      const [one, other] = [await open(), await open()];
      if (one === other) return;
      await record(one, { startedAt: start - 10 });
      await record(other, { startedAt: start - 20, version: '1.3.0' });
      const hosts = await one.hosts!.read(10);
      assert.deepEqual(
        hosts.map(({ version, isOwn }) => [version, isOwn]),
        [
          ['1.3.0', false],
          ['1.2.0', true],
        ],
      );
      assert.equal((await other.hosts!.read(1)).length, 1);
      await one.hosts!.leave();
      assert.equal((await other.hosts!.read(10)).length, 1);
    },
  },
  {
    name: 'does not show a host that has recorded nothing for several intervals',
    async run(open) {
      const storage = await open();
      await record(storage, { everyMs: 1 });
      await eventually(async () => (await storage.hosts!.read(10)).length === 0, 'the host is not shown');
      await record(storage, { at: start + 10_000 });
      assert.equal((await storage.hosts!.read(10)).length, 1);
    },
  },
  {
    name: 'adds up the activity of each version in steps',
    async run(open) {
      const storage = await open();
      await record(storage);
      await record(storage, { at: start + 10_000, commands: 4, rejected: 0, failed: 2, durations: { 25: 3, 40: 1 } });
      await record(storage, { at: start + 60_000, version: null, commands: 0, rejected: 0, durations: {} });
      assert.deepEqual(await storage.hosts!.readActivity(everything), [
        { at: start, version: '1.2.0', commands: 7, rejected: 1, failed: 2, durations: { 10: 2, 25: 4, 40: 1 } },
        { at: start + 60_000, version: null, commands: 0, rejected: 0, failed: 0, durations: {} },
      ]);
      const range = { from: start + 10_000, to: start + 60_000, stepMs: 10_000 };
      const [only, ...others] = await storage.hosts!.readActivity(range);
      assert.deepEqual([only!.at, only!.commands, others.length], [start + 10_000, 4, 0]);
    },
  },
  {
    name: 'replaces the record of an interval that is recorded again',
    async run(open) {
      const storage = await open();
      for (let times = 0; times < 2; times++) await record(storage);
      const [sum] = await storage.hosts!.readActivity(everything);
      assert.equal(sum!.commands, 3);
    },
  },
  {
    name: 'deletes the activity that is no longer retained',
    async run(open) {
      const storage = await open();
      await record(storage);
      await record(storage, { at: start + hour });
      assert.equal((await storage.hosts!.readActivity(everything)).length, 2);
      await record(storage, { at: start + hour + 10_000 });
      const left = await storage.hosts!.readActivity({ ...everything, stepMs: 10_000 });
      assert.deepEqual(
        left.map(({ at }) => at),
        [start + hour, start + hour + 10_000],
      );
    },
  },
];
