import assert from 'node:assert/strict';
import { newId } from '../messages/index.js';
import type { Storage } from '../storage/index.js';
import { commitRecord, pendingRecord } from './records.js';
import type { StorageCase } from './storage-case.js';
import { outgoingRecord } from './storage-outbox-cases.js';

/** How long a host may take to notice what another one has done, polling included. */
const longestMs = 20_000;

/** Resolves when the storage calls a listener. */
function notified({ notifications }: Storage): Promise<void> {
  return new Promise((resolve, reject) => {
    notifications!.onOutgoing(resolve);
    const failure = new assert.AssertionError({ message: `No listener was called within ${longestMs} ms.` });
    setTimeout(() => reject(failure), longestMs).unref();
  });
}

/** What the capability `notifications` adds. */
export const notificationCases: readonly StorageCase[] = [
  {
    name: 'calls a listener when another host has put a message into the outbox',
    async run(open) {
      const [listening, other] = [await open(), await open()];
      const called = notified(listening);
      await other.commit(commitRecord({ outgoing: [outgoingRecord({})] }));
      await called;
    },
  },
  {
    name: 'calls a listener of the host that holds a lane when another host tells it of new events',
    async run(open) {
      const [holder, other] = [await open(), await open()];
      other.notifications!.tellHolder('a');
      await holder.leases?.hold('a');
      const called = notified(holder);
      await other.commit(commitRecord({ events: [pendingRecord(newId())] }));
      other.notifications!.tellHolder('a');
      await called;
    },
  },
];
