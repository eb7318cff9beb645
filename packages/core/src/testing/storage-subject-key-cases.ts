import assert from 'node:assert/strict';
import { newId } from '../messages/index.js';
import type { Storage, SubjectKeyRecord } from '../storage/index.js';
import { DeadLetterCause } from '../storage/index.js';
import type { StorageCase } from './storage-case.js';

const keyOf = (subject: string): SubjectKeyRecord => ({ id: newId(), subject, wrapped: `wrapped for ${subject}` });

/** What the capability `subjectKeys` adds. */
export const subjectKeyCases: readonly StorageCase[] = [
  {
    name: 'returns the keys of subjects to all hosts, by their subjects and by their ids',
    async run(open) {
      const [one, other] = [await open(), await open()];
      const keys = [keyOf('ann'), keyOf('bob "ü" \\')];
      await one.subjectKeys!.add(keys);
      assert.deepEqual(await other.subjectKeys!.ofSubjects(['bob "ü" \\', 'eve']), [keys[1]]);
      assert.deepEqual(await other.subjectKeys!.byIds([keys[0]!.id, newId()]), [keys[0]]);
      assert.deepEqual(await one.subjectKeys!.ofSubjects([]), []);
    },
  },
  {
    name: 'lets a subject retain its key if several hosts add one at the same time',
    async run(open) {
      const hosts = [await open(), await open()];
      const added = hosts.map(() => keyOf('ann'));
      await Promise.all(hosts.map((host, i) => host.subjectKeys!.add([added[i]!])));
      const [[first], [second]] = [
        await hosts[0]!.subjectKeys!.ofSubjects(['ann']),
        await hosts[1]!.subjectKeys!.ofSubjects(['ann']),
      ];
      assert.deepEqual(first, second);
      assert.ok(added.some(({ id }) => id === first?.id));
    },
  },
  {
    name: 'destroys the key of a subject, remembers its id, and accepts another one',
    async run(open) {
      const { subjectKeys: keys } = await open();
      const [first, second] = [keyOf('ann'), keyOf('ann')];
      await keys!.add([first, keyOf('bob')]);
      assert.deepEqual([await keys!.hasKey('ann'), await keys!.hasKey('eve')], [true, false]);
      assert.deepEqual(await keys!.destroy('ann'), [first.id]);
      assert.equal(await keys!.hasKey('ann'), true);
      assert.deepEqual(await keys!.ofSubjects(['ann']), []);
      assert.deepEqual(await keys!.byIds([first.id]), [{ ...first, wrapped: null }]);
      assert.equal((await keys!.ofSubjects(['bob'])).length, 1);
      await keys!.add([second]);
      assert.deepEqual([...(await keys!.destroy('ann'))].toSorted(), [first.id, second.id].toSorted());
      assert.deepEqual(await keys!.destroy('eve'), []);
    },
  },
  {
    name: 'removes the snapshots, results and dead letters with values of a destroyed key, and no others',
    async run(open) {
      const storage = await open();
      const [gone, other] = [newId(), newId()];
      for (const key of [gone, other]) await addSealed(storage, key);
      const { snapshots, results, deadLetters } = await storage.subjectKeys!.removeSealed([gone, newId()]);
      assert.deepEqual([snapshots, results, deadLetters], [storage.snapshots === undefined ? 0 : 1, 1, 1]);
      const letters = await storage.readDeadLetters(null, 10);
      assert.deepEqual(
        letters.map(({ message }) => message.body),
        [JSON.stringify({ name: sealed(other) })],
      );
      assert.equal(await storage.findIdempotent(`key ${gone}`, 60_000), null);
      assert.notEqual(await storage.findIdempotent(`key ${other}`, 60_000), null);
      const again = await storage.subjectKeys!.removeSealed([gone]);
      assert.deepEqual([again.snapshots, again.results, again.deadLetters], [0, 0, 0]);
    },
  },
];

const sealed = (keyId: string): string => `svc-personal:1:${keyId}:AAAA`;

async function addSealed(storage: Storage, keyId: string): Promise<void> {
  const body = JSON.stringify({ name: sealed(keyId) });
  const [id, streamId, eventId] = [newId(), newId(), newId()];
  const message = { id, type: 'shop.Registered', streamId, body, timestamp: 0, correlationId: id };
  await storage.commit({
    events: [],
    outgoing: [],
    delivered: null,
    received: [],
    idempotency: { id: `key ${keyId}`, requestHash: 'hash', messageId: id, result: body },
    deadLetters: [
      {
        id: newId(),
        direction: 'incoming',
        cause: DeadLetterCause.Refused,
        destination: 'inbox',
        origin: 'other',
        message: { ...message, causationId: null, scope: null, metadata: {} },
        errorName: 'Error',
        errorMessage: 'failed',
        attempts: 1,
        firstFailedAt: 0,
        lastFailedAt: 0,
      },
    ],
  });
  const state = { decider: 'Customer', streamId, version: '1', position: 1, eventId, state: body, checksum: 'x' };
  await storage.snapshots?.write(state, 0);
}
