import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { registry } from '../generated/registry.js';
import { uuid } from '../json/index.js';
import { MessageRegistry, newId } from '../messages/index.js';
import {
  EventLog,
  InMemoryStorage,
  StorageUnavailableError,
  type CommitRecord,
  type DeadLetterRecord,
} from '../storage/index.js';
import { SystemEventOptions } from '../system-events/index.js';
import { MessageRejectedError } from './message-rejected-error.js';
import {
  isRejected,
  largestRejectedBytes,
  mostRejectedLetters,
  recountMs,
  RejectedLetters,
  rejectionIdOf,
  type Rejection,
} from './rejected-letters.js';
import { RejectionTally } from './rejection-tally.js';
import type { ReceivedMessage } from './transport.js';

const commitRecord = (fields: Partial<CommitRecord>): CommitRecord => ({
  events: [],
  outgoing: [],
  delivered: null,
  received: [],
  ...fields,
});

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

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

/** A storage that counts, and that rejects some commits. */
class Storage extends InMemoryStorage {
  counted = 0;
  commits: CommitRecord[] = [];
  failureOf: (record: CommitRecord) => Error | null = () => null;

  override commit(record: CommitRecord): void {
    const failure = this.failureOf(record);
    if (failure !== null) throw failure;
    super.commit(record);
    this.commits.push(record);
  }

  override countDeadLetters(causes: readonly DeadLetterRecord['cause'][], most: number) {
    this.counted++;
    return super.countDeadLetters(causes, most);
  }
}

function host(storage = new Storage()) {
  const messages = new MessageRegistry(registry.messages);
  const log = new EventLog(storage, messages);
  const options = new SystemEventOptions();
  options.enableErrorEvents();
  const reports: unknown[] = [];
  const report = (error: unknown): void => void reports.push(error);
  const tally = new RejectionTally({ log, messages, options, isDeclared: () => true, report });
  const rejected = new RejectedLetters(log, messages, tally);
  const stored = async () => (await storage.readDeadLetters(null, 100)).map(({ message }) => message.id);
  const emitted = async () => (await storage.readOutgoing('system', 100)).length;
  return { storage, rejected, reports, stored, emitted };
}

const rejection = (fields: Partial<ReceivedMessage> = {}): Rejection => ({
  message: receivedMessage({ provenOrigin: null, body: '{}', ...fields }),
  cause: new MessageRejectedError('UnprovenOrigin', 'no'),
});
const idsOf = (rejections: readonly Rejection[]) => rejections.map(({ message }) => message.id);

/** Adds dead letters of rejected messages to a storage. */
async function fill(storage: Storage, count: number): Promise<void> {
  const { rejected } = host(storage);
  await rejected.store([rejection()]);
  const [letter] = await storage.readDeadLetters(null, 1);
  const deadLetters = Array.from({ length: count - 1 }, () => ({ ...letter!, id: newId() }));
  storage.commit(commitRecord({ deadLetters }));
  await rejected.close();
}

it('stores rejected messages and the event of the first of their kind in one commit, each message once', async () => {
  const { storage, rejected, stored, emitted } = host();
  const [first, second] = [rejection(), rejection()];
  expect(await rejected.store([first, second, second])).toEqual([]);
  expect(storage.commits).toHaveLength(1);
  expect(await stored()).toEqual(idsOf([first, second]));
  expect(await emitted()).toBe(1);
  expect(await rejected.store([second, first]), 'delivered again').toEqual([]);
  expect(await stored()).toEqual(idsOf([first, second]));
  const [letter] = await storage.readDeadLetters(null, 1);
  expect(letter).toMatchObject({
    direction: 'incoming',
    cause: 'UnprovenOrigin',
    attempts: 1,
    firstFailedAt: Date.now(),
  });
  await rejected.close();
});

it('leaves messages that cannot be stored to the broker, counts them, and reports why', async () => {
  const { storage, rejected, stored, emitted, reports } = host();
  const failure = new RangeError('Maximum call stack size exceeded');
  const message = receivedMessage();
  const one = { message, cause: new Error('no'), attempts: 10, deadLetterCause: 'Unreadable', failure } as const;
  const other = rejection();
  expect(await rejected.store([other], [one, one])).toEqual([one, one]);
  expect(await stored()).toEqual(idsOf([other]));
  expect(await emitted(), 'one of each cause').toBe(2);
  expect(reports).toEqual([other.cause, failure]);
  const [, { message: event }] = (await storage.readOutgoing('system', 10)) as [unknown, { message: { body: string } }];
  expect(JSON.parse(event.body)).toMatchObject({ cause: 'Unreadable', attempt: 10, errorMessage: 'no' });
  await rejected.close();
});

it('writes and counts nothing without a rejected message', async () => {
  const { storage, rejected } = host();
  expect(await rejected.store([])).toEqual([]);
  expect([storage.commits.length, storage.counted, vi.getTimerCount()]).toEqual([0, 0, 0]);
});

it('distinguishes rejected messages from others that cannot be processed', () => {
  const one = rejection();
  expect([isRejected(one), isRejected({ ...one, cause: new Error('no') })]).toEqual([true, false]);
});

it.each<[string, Partial<ReceivedMessage>, boolean]>([
  ['a body of the largest size', { body: 'x'.repeat(largestRejectedBytes - 2) }, true],
  ['a longer body', { body: 'x'.repeat(largestRejectedBytes - 1) }, false],
  ['a body with as many characters, but more bytes', { body: 'ß'.repeat(largestRejectedBytes / 2) }, false],
  ['a body with more characters', { body: 'x'.repeat(largestRejectedBytes + 1) }, false],
  ['a scope that fills the rest', { body: 'x'.repeat(largestRejectedBytes - 17), scope: { t: '12345678' } }, false],
  ['a small scope', { body: 'x'.repeat(largestRejectedBytes - 18), scope: { t: '12345678' } }, true],
  ['large metadata', { metadata: { note: 'ß'.repeat(largestRejectedBytes / 2) } }, false],
])('bounds the size of what it stores: %s', async (_, fields, isStored) => {
  const { rejected, stored } = host();
  const one = rejection(fields);
  expect(await rejected.store([one])).toEqual(isStored ? [] : [one]);
  expect(await stored()).toEqual(isStored ? [one.message.id] : []);
  await rejected.close();
});

it('emits an event for messages that are too large, without counting the dead letters', async () => {
  const { storage, rejected, emitted } = host();
  const large = rejection({ body: 'x'.repeat(70_000) });
  expect(await rejected.store([large])).toEqual([large]);
  expect(await emitted()).toBe(1);
  expect(storage.counted).toBe(0);
  await rejected.close();
});

it('leaves messages beyond the limit to the broker, and counts the dead letters again after a while', async () => {
  const storage = new Storage();
  await fill(storage, mostRejectedLetters - 2);
  storage.counted = 0;
  const { rejected } = host(storage);
  const [a, b, c, d] = [rejection(), rejection(), rejection(), rejection()];
  expect(await rejected.store([a])).toEqual([]);
  expect(await rejected.store([b, c])).toEqual([c]);
  expect(await rejected.store([d])).toEqual([d]);
  expect(storage.counted, 'the count is cached').toBe(1);
  const letters = await storage.readDeadLetters(null, 1);
  storage.commit(commitRecord({ resolved: letters[0]!.id }));
  vi.advanceTimersByTime(recountMs - 1);
  expect(await rejected.store([c])).toEqual([c]);
  vi.advanceTimersByTime(1);
  expect(await rejected.store([c, d])).toEqual([d]);
  expect(storage.counted).toBe(2);
  await rejected.close();
});

it('stores messages one by one if they cannot be stored together, and leaves the bad one to the broker', async () => {
  const { storage, rejected, stored, emitted, reports } = host();
  const [known, bad, good] = [rejection(), rejection({ body: 'bad' }), rejection()];
  await rejected.store([known]);
  storage.failureOf = ({ deadLetters = [] }) =>
    deadLetters.some(({ message }) => message.body === 'bad') ? new RangeError('odd') : null;
  const other = { ...rejection(), cause: new MessageRejectedError('TypeMismatch', 'no') };
  expect(await rejected.store([known, bad, good, other])).toEqual([bad]);
  expect(await stored()).toEqual(idsOf([known, good, other]));
  expect(await emitted(), 'the first of each cause').toBe(2);
  expect(reports).toHaveLength(2);
  await rejected.close();
});

it.each(['together', 'one by one'])('fails while the storage is unavailable, and counts nothing: %s', async (when) => {
  const { storage, rejected, stored, emitted, reports } = host();
  const away = new StorageUnavailableError('none', new Error('away'));
  const isTogether = ({ deadLetters = [], outgoing }: CommitRecord) => deadLetters.length > 0 && outgoing.length > 0;
  let together = 0;
  storage.failureOf = (record) => {
    if (isTogether(record)) together++;
    else expect(when, 'it is not divided').toBe('one by one');
    return when === 'together' || !isTogether(record) ? away : new RangeError('odd');
  };
  const one = rejection();
  await expect(rejected.store([one])).rejects.toBe(away);
  expect(together).toBe(1);
  expect([await emitted(), reports.length]).toEqual([0, 0]);
  storage.failureOf = () => null;
  expect(await rejected.store([one])).toEqual([]);
  expect(await stored()).toEqual([one.message.id]);
  expect(storage.counted, 'again after a failure').toBe(2);
  await rejected.close();
});

it('identifies a rejected message by all that a sender or the transport determines', () => {
  const message = receivedMessage({ origin: 'north' });
  const changed: Partial<ReceivedMessage>[] = [
    { provenOrigin: 'mallory' },
    { routedType: 'test.Happened' },
    { signature: { keyId: 'k', value: 'v' } },
    { body: '[]' },
    { id: newId() },
    { destination: 'other' },
  ];
  const ids = [{}, ...changed].map((fields) => rejectionIdOf({ ...message, ...fields }));
  expect(new Set(ids).size).toBe(changed.length + 1);
  expect(rejectionIdOf({ ...message })).toBe(ids[0]);
});

it('has the same id for a rejected message in later versions, because it is stored', () => {
  const id = uuid('01912d68-783e-7a03-8467-5661c1243ad4');
  const message = receivedMessage({ id, streamId: id, correlationId: id, timestamp: 0 });
  expect(rejectionIdOf(message)).toMatchInlineSnapshot(`"ac9d80d2-3e8f-856c-8662-bb969858d346"`);
});
