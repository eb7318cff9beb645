import assert from 'node:assert/strict';
import { newId } from '../messages/index.js';
import type { OperationRecord, OperationRequest, OperationStorage } from '../storage/index.js';
import type { OpenStorage, StorageCase } from './storage-case.js';

const forLong = { waitMs: 60_000, isAlone: false };
const done = { state: 'done', result: { streams: 3 }, error: null } as const;

function request(fields: Partial<OperationRequest> = {}): OperationRequest {
  const given = { mode: 'BlueGreen', streams: ['ä"\\'] };
  return {
    id: newId(),
    kind: 'perspectives.rebuild',
    target: 'Orders',
    arguments: given,
    requestedBy: 'ann',
    ...fields,
  };
}

async function opened(open: OpenStorage): Promise<OperationStorage> {
  return (await open()).operations!;
}

/** Asserts some fields of an operation. */
function assertHas(operation: OperationRecord | null, fields: Partial<OperationRecord>): void {
  assert.deepEqual({ ...operation, ...fields }, operation);
}

function idsOf(operations: readonly OperationRecord[]): string[] {
  return operations.map(({ id }) => id);
}

async function passed(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** What the capability `operations` adds: the requests of operators. */
export const operationCases: readonly StorageCase[] = [
  {
    name: 'stores a request for another process, lets one host run it, and stores its result',
    async run(open) {
      const [operator, host, other] = [await opened(open), await opened(open), await opened(open)];
      const requested = request();
      const before = Date.now();
      assert.equal(await operator.ask(requested, forLong), null);
      const [waiting, ...others] = await host.readOpen(10);
      assert.deepEqual(others, []);
      assert.deepEqual(await host.readRecent(10), []);
      const { requestedAt, ...rest } = waiting!;
      assert.deepEqual(rest, {
        ...requested,
        state: 'waiting',
        startedAt: null,
        finishedAt: null,
        isHeld: false,
        attempts: 0,
        progress: null,
        result: null,
        error: null,
      });
      assert.ok(Math.abs(requestedAt - before) < 60_000, 'it has the time of the request');

      const ids = [newId(), newId()];
      const claims = await Promise.all([host, other].map((one, i) => one.claim(requested.id, ids[i]!)));
      const holder = claims.findIndex((claim) => claim !== null);
      assert.equal(claims.filter((claim) => claim !== null).length, 1, 'one host runs it');
      assertHas(claims[holder]!, { state: 'running', isHeld: true, attempts: 1 });
      const [own, notOwn] = [ids[holder]!, ids[1 - holder]!];
      assert.equal(await host.renew(requested.id, own, { done: 1, total: 3 }), 'running');
      assert.equal(await host.renew(requested.id, notOwn, null), null);
      assertHas(await operator.find(requested.id), { progress: { done: 1, total: 3 }, isHeld: true });
      assert.equal(await host.finish(requested.id, notOwn, done), false);
      assert.equal(await host.finish(requested.id, own, done), true);
      assert.equal(await host.renew(requested.id, own, null), null);
      const ended = await operator.find(requested.id);
      assertHas(ended, { ...done, isHeld: false, attempts: 1 });
      assert.ok(ended!.startedAt! <= ended!.finishedAt!);
      assert.equal(await host.claim(requested.id, own), null);
      assert.deepEqual(await operator.readOpen(10), []);
      assert.deepEqual(await operator.readRecent(10), [ended]);
      assert.equal(await operator.find(newId()), null);
    },
  },
  {
    name: 'stores only one of several exclusive requests until it has ended',
    async run(open) {
      const operations = await opened(open);
      const alone = { ...forLong, isAlone: true };
      const [first, second, ofOther] = [request(), request(), request({ target: 'Customers' })];
      assert.equal(await operations.ask(first, alone), null);
      assert.equal((await operations.ask(second, alone))?.id, first.id);
      assert.equal(await operations.find(second.id), null);
      assert.equal(await operations.ask(ofOther, alone), null);
      const holder = newId();
      await operations.claim(first.id, holder);
      assert.equal((await operations.ask(second, alone))?.id, first.id);
      await operations.finish(first.id, holder, done);
      assert.equal(await operations.ask(second, alone), null);
    },
  },
  {
    name: 'lets no host claim a request after its deadline, nor lets it block another one',
    async run(open) {
      const operations = await opened(open);
      const soon = { waitMs: 1, isAlone: true };
      const [late, next] = [request(), request()];
      await operations.ask(late, soon);
      await passed(20);
      assert.equal((await operations.find(late.id))?.state, 'expired');
      assert.deepEqual(await operations.readOpen(10), []);
      assert.deepEqual(idsOf(await operations.readRecent(10)), [late.id]);
      assert.equal(await operations.claim(late.id, newId()), null);
      assert.equal(await operations.cancel(late.id), 'expired');
      assert.equal(await operations.ask(next, { ...soon, waitMs: 60_000 }), null);
      assert.equal((await operations.find(late.id))?.state, 'expired');
      assert.notEqual(await operations.claim(next.id, newId()), null);
    },
  },
  {
    name: 'lists open requests with the oldest first and ended ones with the latest first, each up to a limit',
    async run(open) {
      const operations = await opened(open);
      const requests = [request(), request(), request()];
      const ids = requests.map(({ id }) => id);
      for (const one of requests) await operations.ask(one, forLong);
      assert.deepEqual(idsOf(await operations.readOpen(10)), ids);
      assert.deepEqual(idsOf(await operations.readOpen(2)), ids.slice(0, 2));
      for (const id of ids) await operations.cancel(id);
      assert.deepEqual(idsOf(await operations.readRecent(10)), ids.toReversed());
      assert.deepEqual(idsOf(await operations.readRecent(2)), ids.toReversed().slice(0, 2));
    },
  },
  {
    name: 'cancels a waiting request at once, and signals the host of a running one',
    async run(open) {
      const operations = await opened(open);
      const [waiting, running] = [request(), request()];
      for (const one of [waiting, running]) await operations.ask(one, forLong);
      assert.equal(await operations.cancel(waiting.id), 'cancelled');
      assert.deepEqual(idsOf(await operations.readRecent(10)), [waiting.id]);
      assert.equal(await operations.claim(waiting.id, newId()), null);
      const holder = newId();
      await operations.claim(running.id, holder);
      assert.equal(await operations.cancel(running.id), 'cancelling');
      assert.equal(await operations.renew(running.id, holder, null), 'cancelling');
      await operations.finish(running.id, holder, { state: 'cancelled', result: null, error: null });
      assert.equal(await operations.cancel(running.id), 'cancelled');
      assert.deepEqual(idsOf(await operations.readRecent(10)), [running.id, waiting.id]);
      assert.deepEqual(idsOf(await operations.readRecent(1)), [running.id]);
      assert.equal(await operations.cancel(newId()), null);
    },
  },
  {
    name: 'releases a request for another host, however late, and deletes those that have ended',
    async run(open) {
      const storage = await open();
      const operations = storage.operations!;
      const [first, second] = [newId(), newId()];
      let requested = request();
      let waitMs = 50;
      let tooLate = 0;
      await operations.ask(requested, { waitMs, isAlone: false });
      while ((await operations.claim(requested.id, first)) === null) {
        // On a busy machine the deadline may have passed.
        [requested, waitMs, tooLate] = [request(), waitMs * 4, tooLate + 1];
        await operations.ask(requested, { waitMs, isAlone: false });
      }
      await operations.release(requested.id, second);
      assert.equal((await operations.find(requested.id))?.isHeld, true, 'another host holds it');
      await operations.release(requested.id, first);
      assertHas(await operations.find(requested.id), { state: 'waiting', isHeld: false, attempts: 0 });
      await passed(waitMs + 20);
      assertHas(await operations.claim(requested.id, second), { state: 'running', attempts: 1 });
      const [late, forever] = [request(), request()];
      await operations.ask(late, { waitMs: 1, isAlone: false });
      await operations.ask(forever, forLong);
      await passed(20);
      const expiry = { receivedMs: 60_000, idempotencyKeysMs: 60_000, operationsMs: 10 };
      assert.equal(await storage.forgetExpired(expiry, 10), 1 + tooLate, 'those that no host claimed');
      await operations.finish(requested.id, second, done);
      assert.equal(await storage.forgetExpired({ ...expiry, operationsMs: 60_000 }, 10), 0);
      assert.equal(await storage.forgetExpired(expiry, 10), 1);
      assert.equal(await operations.find(requested.id), null);
      assert.notEqual(await operations.find(forever.id), null);
    },
  },
];
