import assert from 'node:assert/strict';
import type { Uuid } from '../json/index.js';
import { newId } from '../messages/index.js';
import {
  MessageSettledError,
  type DueTime,
  type ScheduleChanges,
  type ScheduledRecord,
  type Storage,
} from '../storage/index.js';
import { collect, commitRecord, pendingRecord } from './records.js';
import type { StorageCase } from './storage-case.js';

const types = ['test.Remind'];
const now: DueTime = { afterMs: 0 };
const inAnHour: DueTime = { afterMs: 3_600_000 };

interface Fields {
  readonly due?: DueTime;
  readonly key?: string;
  readonly tenant?: string;
  readonly type?: string;
}

/** Returns a command to schedule, due at once unless a test says otherwise. */
function scheduledRecord({ due = now, key, tenant, type = 'test.Remind' }: Fields = {}): ScheduledRecord {
  const { streamId: _stream, expectedPosition: _position, ...message } = pendingRecord(newId(), { type });
  const scope = tenant === undefined ? null : { tenantId: tenant, userId: 'ann' };
  return { message: { ...message, scope, body: '{"text":"ä\\"\\u0000"}' }, due, key: key ?? null };
}

function changes(fields: Partial<ScheduleChanges>): { readonly schedules: ScheduleChanges } {
  return { schedules: { settled: null, cancelled: [], added: [], ...fields } };
}

function adding(...added: ScheduledRecord[]): { readonly schedules: ScheduleChanges } {
  const cancelled = added.flatMap(({ key, message }) =>
    key === null ? [] : [{ tenant: message.scope?.['tenantId'] ?? '', key }],
  );
  return changes({ cancelled, added });
}

const idOf = ({ message }: { readonly message: { readonly id: Uuid } }): Uuid => message.id;

async function storedIds(storage: Storage): Promise<Uuid[]> {
  return (await storage.schedule!.read(1_000)).map(idOf);
}

async function claimedIds(storage: Storage, limit = 100): Promise<Uuid[]> {
  return (await storage.schedule!.claim(newId(), types, limit)).commands.map(idOf);
}

async function commit(storage: Storage, fields: Parameters<typeof commitRecord>[0]): Promise<void> {
  await storage.commit(commitRecord(fields));
}

async function isSettled(storage: Storage, fields: Parameters<typeof commitRecord>[0]): Promise<boolean> {
  try {
    await commit(storage, fields);
    return false;
  } catch (error) {
    if (error instanceof MessageSettledError) return true;
    throw error;
  }
}

/** What the capability `schedule` adds: commands to run later. */
export const scheduleCases: readonly StorageCase[] = [
  {
    name: 'stores scheduled commands in the same transaction as their record, and returns them in the order of their due times',
    async run(open) {
      const storage = await open();
      const at = Date.now() + 7_200_000;
      const [late, soon, first] = [
        scheduledRecord({ due: { at }, tenant: 'a', key: 'k' }),
        scheduledRecord({ due: inAnHour }),
        scheduledRecord(),
      ];
      await commit(storage, { events: [pendingRecord(newId())], ...adding(late, soon, first) });
      const stored = await storage.schedule!.read(10);
      assert.deepEqual(stored.map(idOf), [first, soon, late].map(idOf));
      const { dueAt, ...rest } = stored[2]!;
      assert.equal(dueAt, at);
      const fresh = { attempts: 0, firstFailedAt: null, isRunning: false };
      assert.deepEqual(rest, { message: late.message, tenant: 'a', key: 'k', ...fresh });
      assert.ok(Math.abs(stored[1]!.dueAt - stored[0]!.dueAt - 3_600_000) < 1_000);
      assert.deepEqual((await storage.schedule!.read(1, idOf(first))).map(idOf), [idOf(soon)]);
      assert.deepEqual(await storage.schedule!.read(1, newId()), []);
      assert.deepEqual(await storage.schedule!.find(idOf(late)), stored[2]);
      assert.equal(await storage.schedule!.find(newId()), null);
      const conflict = { events: [pendingRecord(newId(), { expectedPosition: 5 })], ...adding(scheduledRecord()) };
      await assert.rejects(() => commit(storage, conflict), { code: 'SVC_CONCURRENCY_CONFLICT' });
      assert.equal((await storedIds(storage)).length, 3);
    },
  },
  {
    name: 'replaces and cancels a scheduled command by its key, within its tenant',
    async run(open) {
      const storage = await open();
      const ofA = scheduledRecord({ tenant: 'a', key: 'k', due: inAnHour });
      const ofB = scheduledRecord({ tenant: 'b', key: 'k', due: inAnHour });
      const ofNone = scheduledRecord({ key: 'k', due: inAnHour });
      await commit(storage, adding(ofA, ofB, ofNone));
      const next = scheduledRecord({ tenant: 'a', key: 'k', due: inAnHour });
      await commit(storage, adding(next));
      assert.deepEqual(new Set(await storedIds(storage)), new Set([ofB, ofNone, next].map(idOf)));
      await commit(
        storage,
        changes({
          cancelled: [
            { tenant: 'b', key: 'k' },
            { tenant: 'a', key: 'unknown' },
          ],
        }),
      );
      assert.deepEqual(new Set(await storedIds(storage)), new Set([ofNone, next].map(idOf)));
      assert.deepEqual((await storage.schedule!.readKeys('a', 'k', 'l')).map(idOf), [idOf(next)]);
      assert.deepEqual(await storage.schedule!.readKeys('a', 'l', 'm'), []);
      assert.equal(await isSettled(storage, changes({ settled: idOf(ofA) })), true, 'it was replaced');
      assert.equal(await isSettled(storage, changes({ settled: idOf(ofB) })), true, 'it was cancelled');
    },
  },
  {
    name: 'leaves one command under a key that many records schedule at the same time, the last one of a host',
    async run(open) {
      const storages = [await open(), await open()];
      const records = Array.from({ length: 20 }, () => scheduledRecord({ key: 'k', due: inAnHour }));
      await Promise.all(records.map((record, i) => commit(storages[i % 2]!, adding(record))));
      assert.equal((await storedIds(storages[0]!)).length, 1);
      const inOrder = Array.from({ length: 60 }, () => scheduledRecord({ key: 'k', due: inAnHour }));
      await Promise.all(inOrder.map((record) => commit(storages[0]!, adding(record))));
      assert.deepEqual(await storedIds(storages[0]!), [idOf(inOrder.at(-1)!)], 'the last one of a host');
    },
  },
  {
    name: 'settles a scheduled command once, in the same transaction as its effects',
    async run(open) {
      const storages = [await open(), await open()];
      const record = scheduledRecord({ key: 'k' });
      await commit(storages[0]!, adding(record));
      const again = (): ScheduledRecord => scheduledRecord({ key: 'k', due: inAnHour });
      const settled = await Promise.all(
        Array.from({ length: 20 }, async (_, i) => {
          const events = [pendingRecord(newId())];
          const next = adding(again()).schedules;
          const schedules = { ...next, settled: idOf(record) };
          return await isSettled(storages[i % 2]!, { events, schedules });
        }),
      );
      assert.equal(settled.filter((isOther) => !isOther).length, 1);
      assert.equal((await collect(storages[0]!.readAll())).length, 1);
      assert.equal((await storedIds(storages[1]!)).length, 1, 'the next one under its key');
    },
  },
  {
    name: 'does not settle a scheduled command that another record replaces or cancels at the same time',
    async run(open) {
      const storage = await open();
      for (let i = 0; i < 10; i++) {
        const record = scheduledRecord({ key: 'k' });
        await commit(storage, adding(record));
        const next = scheduledRecord({ key: 'k', due: inAnHour });
        // While it is being committed, those after it are collected.
        const first = commit(storage, { events: [pendingRecord(newId())] });
        const replacing = i % 2 === 0 ? adding(next) : changes({ cancelled: [{ tenant: '', key: 'k' }] });
        const replaced = commit(storage, { ...replacing, events: [pendingRecord(newId())] });
        const events = [pendingRecord(newId())];
        const settling = isSettled(storage, { ...changes({ settled: idOf(record) }), events });
        await Promise.all([first, replaced]);
        assert.equal(await settling, true, 'the record before it has removed the command');
        assert.deepEqual(await collect(storage.readStream(events[0]!.streamId)), [], 'nothing of it is committed');
      }
    },
  },
  {
    name: 'lets hosts share due commands of the types they know, the longest due first, and renews their claims',
    async run(open) {
      const [storage, other] = [await open(), await open()];
      const past = (ago: number): DueTime => ({ at: Date.now() - ago });
      const due = [3_000, 2_000, 1_000].map((ago) => scheduledRecord({ due: past(ago) }));
      const unknown = scheduledRecord({ type: 'test.Unknown' });
      const later = scheduledRecord({ due: inAnHour });
      await commit(storage, adding(later, unknown, ...due.toReversed()));
      const holder = newId();
      const { commands, now: time } = await storage.schedule!.claim(holder, types, 2);
      assert.deepEqual(commands.map(idOf), due.slice(0, 2).map(idOf));
      assert.ok(commands.every(({ isRunning }) => isRunning));
      assert.ok(Math.abs(time - Date.now()) < 60_000);
      assert.equal((await storage.schedule!.find(idOf(due[0]!)))?.isRunning, true);
      assert.deepEqual(await claimedIds(other), [idOf(due[2]!)]);
      const { nextInMs, ...none } = await other.schedule!.claim(newId(), types, 10);
      assert.deepEqual(none.commands, []);
      const { leaseMs } = storage.schedule!;
      assert.ok(nextInMs !== null && nextInMs > 0 && nextInMs <= leaseMs, 'the end of the first claim');
      await storage.schedule!.renew(holder, commands.map(idOf));
      await storage.schedule!.renew(newId(), [idOf(later)]);
      assert.deepEqual(await claimedIds(storage), []);
    },
  },
  {
    name: 'claims the longest due commands of many types first, whatever is scheduled of other types, and knows all types',
    async run(open) {
      const storage = await open();
      assert.deepEqual(await storage.schedule!.readTypes(), []);
      const many = ['test.A', 'test.B', 'test.C', 'test.D'];
      const due = Array.from({ length: 24 }, (_, i) => {
        const at = Date.now() - 60_000 + i * 1_000;
        return scheduledRecord({ type: many[(i * 3 + (i >> 2)) % 4]!, due: { at } });
      });
      const others = ['test.', 'test.AA', 'test.E'].flatMap((type) => [
        scheduledRecord({ type, due: { at: 0 } }),
        scheduledRecord({ type, due: inAnHour }),
      ]);
      const later = many.map((type) => scheduledRecord({ type, due: inAnHour }));
      await commit(storage, adding(...later, ...others, ...due.toReversed()));
      for (const first of [0, 3, 6]) {
        const { commands, nextInMs } = await storage.schedule!.claim(newId(), many, 3);
        assert.deepEqual(commands.map(idOf), due.slice(first, first + 3).map(idOf));
        assert.equal(nextInMs, 0);
      }
      const { commands } = await storage.schedule!.claim(newId(), [...many, 'test.Unknown'], 100);
      assert.deepEqual(commands.map(idOf), due.slice(9).map(idOf));
      const stored = await storage.schedule!.readTypes();
      assert.deepEqual(stored.toSorted(), [...many, 'test.', 'test.AA', 'test.E'].toSorted());
    },
  },
  {
    name: 'says when the next command of the known types is due',
    async run(open) {
      const storage = await open();
      const schedule = storage.schedule!;
      assert.equal((await schedule.claim(newId(), types, 10)).nextInMs, null);
      await commit(storage, adding(scheduledRecord({ type: 'test.Unknown' })));
      assert.equal((await schedule.claim(newId(), types, 10)).nextInMs, null);
      await commit(storage, adding(scheduledRecord({ due: inAnHour })));
      const { nextInMs } = await schedule.claim(newId(), types, 10);
      assert.ok(nextInMs! > 3_590_000 && nextInMs! <= 3_600_000);
    },
  },
  {
    name: 'counts failed attempts, and lets no other host end a claim',
    async run(open) {
      const storage = await open();
      const record = scheduledRecord();
      await commit(storage, adding(record));
      const holder = newId();
      await storage.schedule!.claim(holder, types, 10);
      await storage.schedule!.retryLater(newId(), idOf(record), 0);
      assert.deepEqual(await claimedIds(storage), [], 'another host holds it');
      await storage.schedule!.retryLater(holder, idOf(record), 0);
      const [command] = (await storage.schedule!.claim(holder, types, 10)).commands;
      assert.equal(command?.attempts, 1);
      assert.ok(Math.abs(command.firstFailedAt! - Date.now()) < 60_000);
      await storage.schedule!.retryLater(holder, idOf(record), 3_600_000);
      const failed = await storage.schedule!.find(idOf(record));
      assert.deepEqual([failed?.attempts, failed?.firstFailedAt], [2, command.firstFailedAt]);
      assert.deepEqual(await claimedIds(storage), [], 'its next attempt is later');
    },
  },
  {
    name: 'makes a command due and cancels one for an operator, and counts what is overdue',
    async run(open) {
      const storage = await open();
      const [first, second] = [scheduledRecord({ due: inAnHour }), scheduledRecord({ due: inAnHour })];
      await commit(storage, adding(first, second));
      assert.deepEqual(await storage.schedule!.readStanding(0, 10), { overdue: 0, lateMs: 0 });
      assert.equal(await storage.schedule!.makeDue(idOf(first)), true);
      assert.deepEqual(await claimedIds(storage), [idOf(first)]);
      assert.equal(await storage.schedule!.makeDue(idOf(first)), true, 'a host runs it');
      assert.deepEqual(await claimedIds(storage), []);
      assert.equal(await storage.schedule!.cancel(idOf(second)), true);
      for (const id of [idOf(second), newId()]) {
        assert.equal(await storage.schedule!.makeDue(id), false);
        assert.equal(await storage.schedule!.cancel(id), false);
      }
      await commit(storage, adding(scheduledRecord({ due: { at: Date.now() - 90_000 } })));
      const { overdue, lateMs } = await storage.schedule!.readStanding(60_000, 10);
      assert.equal(overdue, 1);
      assert.ok(lateMs >= 89_000 && lateMs < 150_000);
      assert.equal((await storage.schedule!.readStanding(-60_000, 1)).overdue, 1, 'counted up to a limit');
    },
  },
  {
    name: 'does not schedule a command again if the record that scheduled it is committed again',
    async run(open) {
      const storage = await open();
      const [waiting, done] = [scheduledRecord({ due: inAnHour }), scheduledRecord()];
      for (const record of [waiting, done]) await commit(storage, adding(record));
      await commit(storage, { ...changes({ settled: idOf(done) }), events: [pendingRecord(newId())] });
      if (storage.connection === undefined) return;
      for (const record of [waiting, done]) await commit(storage, adding(record));
      assert.deepEqual(await storedIds(storage), [idOf(waiting)]);
    },
  },
];
