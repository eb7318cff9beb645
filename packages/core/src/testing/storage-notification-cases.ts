import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../messages/index.js';
import type { Storage } from '../storage/index.js';
import { commitRecord, pendingRecord } from './records.js';
import type { StorageCase } from './storage-case.js';
import { outgoingRecord } from './storage-outbox-cases.js';

/** How long a host may take to notice a change by another one, polling included. */
const longestMs = 20_000;

/** Repeats the work of another host until the listener of this one is called. */
async function callsListener({ notifications }: Storage, work: () => Promise<void>): Promise<void> {
  const calls: number[] = [];
  notifications!.onOutgoing(() => calls.push(Date.now()));
  const started = Date.now();
  while (calls.length === 0) {
    assert.ok(Date.now() - started < longestMs, `No listener was called within ${longestMs} ms.`);
    await work();
    await sleep(50);
  }
}

/** What the capability `notifications` adds. */
export const notificationCases: readonly StorageCase[] = [
  {
    name: 'calls a listener when another host has added a message to the outbox',
    async run(open) {
      const [listening, other] = [await open(), await open()];
      await callsListener(listening, async () => await other.commit(commitRecord({ outgoing: [outgoingRecord({})] })));
    },
  },
  {
    name: 'calls a listener of a host that holds a lane when another host announces new events',
    async run(open) {
      const [holder, other] = [await open(), await open()];
      other.notifications!.wakeHolders('a');
      await holder.leases?.hold('a');
      await callsListener(holder, async () => {
        await other.commit(commitRecord({ events: [pendingRecord(newId())] }));
        other.notifications!.wakeHolders('a');
      });
    },
  },
];
