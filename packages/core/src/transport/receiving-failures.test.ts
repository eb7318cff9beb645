import { expect, it } from 'vitest';
import { firstIdOf, MessageRegistry, newId, timeOfId } from '../messages/index.js';
import {
  DuplicateEventError,
  EventLog,
  ForeignStreamError,
  InMemoryStorage,
  MessageSettledError,
  StorageUnavailableError,
  type CommitRecord,
} from '../storage/index.js';
import type { Admission } from './admission.js';
import { MessageRejectedError } from './message-rejected-error.js';
import type { PlaceTenant } from './place-tenant.js';
import { receivedEvents } from './received-event.js';
import { isLasting, mostReceiveAttempts, receiving } from './receiving.js';
import type { ReceivedMessage } from './transport.js';

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

function receivedMessage(fields: Partial<ReceivedMessage> = {}): ReceivedMessage {
  const id = newId();
  const names = {
    type: 'test.Happened',
    destination: 'test',
    origin: 'sender',
    provenOrigin: fields.origin ?? 'sender',
  };
  const rest = { body: '{}', timestamp: Date.now(), causationId: null, scope: null, metadata: {} };
  return { id, streamId: newId(), correlationId: id, ...names, ...rest, routedType: null, signature: null, ...fields };
}

class Happened {}

/** A storage that fails for some events, and records how many events each commit has. */
class Storage extends InMemoryStorage {
  readonly failures = new Map<string, unknown>();
  readonly commits: number[] = [];

  override commit(record: CommitRecord): void {
    this.commits.push(record.events.length);
    const failing = record.events.find(({ id }) => this.failures.has(id));
    if (failing !== undefined) throw this.failures.get(failing.id);
    super.commit(record);
  }
}

interface Setup {
  readonly verdict?: Admission['event'];
  readonly place?: PlaceTenant;
}

function host({ verdict = () => ({ origin: 'sender' }), place }: Setup = {}) {
  const storage = new Storage();
  const messages = new MessageRegistry([
    { type: 'test.Happened', kind: 'event', class: Happened, read: () => new Happened(), write: () => '{}' },
  ]);
  const log = new EventLog(storage, messages);
  const receive = receiving(log, messages, { event: verdict }, receivedEvents({ marksTenants: true }), {
    ...(place !== undefined && { place }),
  });
  const stored = async () => (await collect(storage.readAll())).map(({ id }) => id);
  return { storage, receive, stored };
}

const event = (fields: Partial<ReceivedMessage> = {}) => receivedMessage({ body: '{}', ...fields });
const idsOf = (messages: readonly ReceivedMessage[]) => messages.map(({ id }) => id);

it('stores a batch in one commit, and a message that it contains twice once', async () => {
  const { storage, receive, stored } = host();
  const [first, second] = [event(), event()];
  expect(await receive([first, second, { ...first, body: '{"again":true}' }])).toEqual([]);
  expect(await stored()).toEqual(idsOf([first, second]));
  const [kept] = await collect(storage.readAll());
  expect(kept!.body, 'the first of them').toBe('{}');
  expect(storage.commits).toEqual([2]);
});

it('commits nothing of messages that are ignored, not admitted, unreadable or of a tenant without a database', async () => {
  const rejection = new MessageRejectedError('UnprovenOrigin', 'no');
  const unknown = new MessageRejectedError('UnknownTenant', 'no');
  const { storage, receive } = host({
    verdict: ({ destination }) => (destination === 'own' ? null : destination === 'bad' ? rejection : { origin: null }),
    place: (tenant) => (tenant === 'gone' ? Promise.resolve(unknown) : null),
  });
  const [own, bad] = [event({ destination: 'own' }), event({ destination: 'bad' })];
  const [unreadable, gone] = [event({ body: '{' }), event({ scope: { tenantId: 'gone' } })];
  const unprocessable = await receive([own, bad, unreadable, gone]);
  expect(unprocessable.map(({ message }) => message)).toEqual([bad, unreadable, gone]);
  expect(unprocessable[0]!.cause).toBe(rejection);
  expect(unprocessable[1]!.cause).toMatchObject({ code: 'SVC_MALFORMED_JSON' });
  expect(unprocessable[2]!.cause).toBe(unknown);
  expect(storage.commits).toEqual([]);
});

it('returns messages with flawed metadata before they are admitted, and stores the others', async () => {
  const admitted: ReceivedMessage[] = [];
  const { receive, stored } = host({
    verdict: (message) => {
      admitted.push(message);
      // As the verification of a signature does.
      JSON.stringify(message.metadata);
      return { origin: 'sender' };
    },
  });
  const deep = event({ metadata: { x: JSON.parse('['.repeat(8_000) + ']'.repeat(8_000)) as unknown } });
  const [tenant, key, good] = [
    event({ metadata: { svcTenant: 'a\0b' } }),
    event({ metadata: { '\ud800': 1 } }),
    event({ metadata: { x: 1 } }),
  ];
  const unprocessable = await receive([deep, tenant, key, good]);
  expect(unprocessable.map(({ message }) => message)).toEqual([deep, tenant, key]);
  for (const { cause } of unprocessable) expect(cause).toMatchObject({ code: 'SVC_MALFORMED_CLOUD_EVENT' });
  expect(await stored()).toEqual(idsOf([good]));
  expect(admitted).toEqual([good]);
});

it('does not commit messages again that were stored before a failure of the same batch', async () => {
  const { storage, receive, stored } = host();
  const batch = [event(), event(), event(), event()];
  storage.failures.set(batch[3]!.id, new RangeError('odd'));
  await expect(receive(batch)).rejects.toThrow(RangeError);
  expect(await stored()).toEqual(idsOf(batch.slice(0, 3)));
  expect(storage.commits, 'halves of the batch').toEqual([4, 2, 2, 1, 1]);
  storage.commits.length = 0;
  await expect(receive(batch)).rejects.toThrow(RangeError);
  expect(storage.commits).toEqual([1]);
  storage.failures.clear();
  expect(await receive(batch)).toEqual([]);
  expect(await stored()).toEqual(idsOf(batch));
});

it('remembers only messages of the batch that is delivered again', async () => {
  const { storage, receive } = host();
  const [good, bad] = [event(), event()];
  storage.failures.set(bad.id, new RangeError('odd'));
  await expect(receive([good, bad])).rejects.toThrow(RangeError);
  await expect(receive([bad])).rejects.toThrow(RangeError);
  storage.commits.length = 0;
  await receive([good]);
  expect(storage.commits, 'the storage knows that it was received').toEqual([1]);
});

it('takes a message that was received before for processed, and stores the others', async () => {
  const { storage, receive, stored } = host();
  const stream = newId();
  const [first, second] = [event({ streamId: stream }), event({ streamId: stream })];
  await receive([first]);
  expect(await receive([first, second])).toEqual([]);
  expect(await stored()).toEqual(idsOf([first, second]));
  expect(storage.commits, 'only the storage knows the messages of earlier batches').toEqual([1, 2, 1, 1]);
});

it('does not commit a message again that turned out to be received before', async () => {
  const { storage, receive } = host();
  const [known, bad] = [event(), event()];
  await receive([known]);
  storage.failures.set(bad.id, new RangeError('odd'));
  await expect(receive([known, bad])).rejects.toThrow(RangeError);
  storage.commits.length = 0;
  await expect(receive([known, bad])).rejects.toThrow(RangeError);
  expect(storage.commits).toEqual([1]);
});

it('gives up at once what a retry would not store', async () => {
  const { storage, receive, stored } = host();
  const batch = [event(), event(), event()];
  const errors = [new DuplicateEventError(batch[0]!.id), new ForeignStreamError(batch[1]!.streamId)];
  for (const [i, error] of errors.entries()) storage.failures.set(batch[i]!.id, error);
  const unprocessable = await receive(batch);
  expect(unprocessable).toEqual(errors.map((cause, i) => ({ message: batch[i], cause })));
  expect(await stored()).toEqual(idsOf(batch.slice(2)));
  expect([...errors, new MessageSettledError(newId()), new Error('no')].map(isLasting)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

it('counts no attempt while the storage is unavailable, and does not divide the batch', async () => {
  const { storage, receive, stored } = host();
  const batch = [event(), event()];
  const away = new StorageUnavailableError('none', new Error('away'));
  storage.failures.set(batch[0]!.id, away);
  for (let i = 0; i < mostReceiveAttempts + 2; i++) await expect(receive(batch)).rejects.toBe(away);
  expect(storage.commits.every((events) => events === 2)).toBe(true);
  storage.failures.clear();
  expect(await receive(batch)).toEqual([]);
  expect(await stored()).toEqual(idsOf(batch));
});

it.each<[string, unknown, unknown]>([
  ['the name', new RangeError('a'), new TypeError('a')],
  ['the code', Object.assign(new Error('a'), { code: '1' }), Object.assign(new Error('a'), { code: '2' })],
  ['the errcode', Object.assign(new Error('a'), { errcode: 1 }), Object.assign(new Error('a'), { errcode: 2 })],
])(
  'tries a message ten times if it fails otherwise than one of its stream, which differs by %s',
  async (_, one, two) => {
    const { storage, receive } = host();
    const streamId = newId();
    const batch = [event({ streamId }), event({ streamId })];
    storage.failures.set(batch[0]!.id, one).set(batch[1]!.id, two);
    for (let i = 1; i < 2 * mostReceiveAttempts - 1; i++) await receive(batch).catch(() => {});
    const unprocessable = await receive(batch);
    expect(unprocessable.map(({ cause, attempts }) => [cause, attempts])).toEqual([
      [one, 2 * mostReceiveAttempts - 1],
      [two, mostReceiveAttempts],
    ]);
  },
);

it('gives up later messages of other streams after their own attempts only', async () => {
  const { storage, receive } = host();
  const batch = [event(), event()];
  storage.failures.set(batch[0]!.id, new RangeError('odd'));
  for (let i = 0; i < 5; i++) await expect(receive(batch)).rejects.toThrow(RangeError);
  const later = event();
  storage.failures.set(later.id, new RangeError('odd'));
  for (let i = 0; i < 9; i++) await expect(receive([...batch, later])).rejects.toThrow(RangeError);
  const unprocessable = await receive([...batch, later]);
  expect(unprocessable.map(({ message, attempts }) => [message, attempts])).toEqual([
    [batch[0], 15],
    [later, 10],
  ]);
});

it('tries a message that was given up as often again, if it is delivered once more', async () => {
  const { storage, receive } = host();
  const message = event();
  storage.failures.set(message.id, new RangeError('odd'));
  for (let deliveries = 0; deliveries < 2; deliveries++) {
    for (let i = 1; i < mostReceiveAttempts; i++) await expect(receive([message])).rejects.toThrow(RangeError);
    expect(await receive([message])).toMatchObject([{ message, attempts: mostReceiveAttempts }]);
  }
});

it('has an error as the cause, whatever a storage throws', async () => {
  const { storage, receive } = host();
  const message = event();
  storage.failures.set(message.id, 'odd');
  for (let i = 1; i < mostReceiveAttempts; i++) await expect(receive([message])).rejects.toBe('odd');
  const [unprocessable] = await receive([message]);
  expect(unprocessable!.cause).toEqual(new Error('odd', { cause: 'odd' }));
});

it('creates ids after those of the messages that it has stored', async () => {
  const { receive } = host();
  const ahead = firstIdOf(timeOfId(newId())! + 1_000);
  await receive([event({ id: ahead })]);
  expect(newId() > ahead).toBe(true);
});
