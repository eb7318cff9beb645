import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { registry } from '../generated/registry.js';
import { ServiceError, type ErrorCode } from '../errors/index.js';
import { MessageRegistry, newId } from '../messages/index.js';
import {
  DuplicateEventError,
  EventLog,
  ForeignStreamError,
  InMemoryStorage,
  StorageUnavailableError,
  type CommitRecord,
} from '../storage/index.js';
import { SystemEventOptions } from '../system-events/index.js';
import { deadLettering } from './dead-lettering.js';
import { MessageRejectedError } from './message-rejected-error.js';
import { RejectedLetters } from './rejected-letters.js';
import { RejectionTally } from './rejection-tally.js';
import { storingDeadLetters } from './storing-dead-letters.js';
import type { ReceivedMessage, ReceiveMessages, UnprocessableMessage } from './transport.js';

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

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 1_000 }));
afterEach(() => void vi.useRealTimers());

/** A host whose receiver returns these messages. */
function hostWith(unprocessable: readonly UnprocessableMessage[], storage = new InMemoryStorage()) {
  const messages = new MessageRegistry(registry.messages);
  const log = new EventLog(storage, messages);
  const options = new SystemEventOptions();
  options.enableErrorEvents();
  const reports: unknown[] = [];
  const report = (error: unknown): void => void reports.push(error);
  const parts = { log, messages, options, isDeclared: () => true, report };
  const rejected = new RejectedLetters(log, messages, new RejectionTally(parts));
  const toDeadLetters = deadLettering(messages, null);
  const receive = storingDeadLetters(() => Promise.resolve(unprocessable), log, toDeadLetters, rejected);
  return { storage, receive, reports };
}

const failed = (cause: Error, attempts?: number): UnprocessableMessage => ({
  message: receivedMessage({ provenOrigin: null }),
  cause,
  ...(attempts !== undefined && { attempts }),
});
const idsOf = async (storage: InMemoryStorage) =>
  (await storage.readDeadLetters(null, 20)).map(({ message }) => message.id);
const coded = (code: ErrorCode): UnprocessableMessage => failed(new ServiceError(code, 'no'));

it('stores each message that can never be processed with its cause, its attempts and its time', async () => {
  const unprocessable = [
    coded('SVC_MALFORMED_JSON'),
    coded('SVC_INVALID_MESSAGE'),
    coded('SVC_UNREADABLE_EVENT'),
    coded('SVC_EVENT_VERSION_UNKNOWN'),
    coded('SVC_UPCAST_FAILED'),
    failed(new DuplicateEventError(newId())),
    failed(new ForeignStreamError(newId())),
    coded('SVC_COMMAND_REJECTED'),
    failed(Object.assign(new RangeError('out of range'), { code: 'SVC_MALFORMED_JSON' }), 10),
  ];
  const { storage, receive } = hostWith(unprocessable);
  expect(await receive([])).toEqual([]);
  const letters = await storage.readDeadLetters(null, 20);
  const unreadable = Array.from({ length: 5 }, () => 'Unreadable');
  expect(letters.map(({ cause }) => cause)).toEqual([
    ...unreadable,
    'Refused',
    'Refused',
    'AttemptsExhausted',
    'AttemptsExhausted',
  ]);
  expect(letters.map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 10]);
  expect(letters.map(({ message }) => message.id)).toEqual(unprocessable.map(({ message }) => message.id));
  expect(letters[0]).toMatchObject({
    direction: 'incoming',
    origin: 'sender',
    firstFailedAt: 1_000,
    errorMessage: 'no',
  });
});

it('stores a message that is delivered again once, and stores the others of its batch', async () => {
  const [first, second] = [coded('SVC_MALFORMED_JSON'), coded('SVC_MALFORMED_JSON')];
  const storage = new InMemoryStorage();
  await hostWith([first], storage).receive([]);
  await hostWith([first, second], storage).receive([]);
  const letters = await storage.readDeadLetters(null, 10);
  expect(letters.map(({ message }) => message.id)).toEqual([first.message.id, second.message.id]);
});

it('fails while the storage fails, so that the broker delivers the messages again', async () => {
  class Failing extends InMemoryStorage {
    override commit(_record: CommitRecord): void {
      throw new RangeError('out of range');
    }
  }
  await expect(hostWith([coded('SVC_MALFORMED_JSON')], new Failing()).receive([])).rejects.toThrow(RangeError);
});

describe('a dead letter that the available storage rejects', () => {
  /** Rejects the dead letters of some messages. */
  class Choosy extends InMemoryStorage {
    readonly unstorable = new Set<string>();
    failure: Error = new RangeError('Maximum call stack size exceeded');

    override commit(record: CommitRecord): void {
      if (record.received.some((id) => this.unstorable.has(id))) throw this.failure;
      super.commit(record);
    }
  }

  /** Delivers until the messages are processed, as transports do; resolves with the number of deliveries. */
  async function delivered(receive: ReceiveMessages): Promise<[number, readonly UnprocessableMessage[]]> {
    for (let deliveries = 1; deliveries < 100; deliveries++) {
      const left = await receive([]).catch(() => null);
      if (left !== null) return [deliveries, left];
    }
    return expect.fail('It blocks the queue.');
  }

  it('is left to the broker after ten attempts, which is reported, and delays no other', async () => {
    const storage = new Choosy();
    const [bad, good] = [coded('SVC_UNREADABLE_EVENT'), coded('SVC_UNREADABLE_EVENT')];
    storage.unstorable.add(bad.message.id);
    const { receive, reports } = hostWith([bad, good], storage);
    await expect(receive([])).rejects.toBe(storage.failure);
    expect(await idsOf(storage), 'stored in the first round').toEqual([good.message.id]);
    const [deliveries, left] = await delivered(receive);
    expect([deliveries + 1, left.map(({ message }) => message)]).toEqual([10, [bad.message]]);
    expect(await idsOf(storage)).toEqual([good.message.id]);
    expect(reports).toEqual([storage.failure]);
  });

  it('is left to the broker at once if its event has failed in ten attempts, with the others of its stream', async () => {
    const storage = new Choosy();
    const exhausted = failed(new RangeError('odd'), 10);
    const next = failed(new RangeError('odd'));
    const ofStream = { ...next, message: { ...next.message, streamId: exhausted.message.streamId } };
    const other = failed(new RangeError('odd'));
    for (const { message } of [exhausted, ofStream]) storage.unstorable.add(message.id);
    const { receive } = hostWith([exhausted, ofStream, other], storage);
    const [deliveries, left] = await delivered(receive);
    expect([deliveries, left.map(({ message }) => message)]).toEqual([1, [exhausted.message, ofStream.message]]);
    expect(await idsOf(storage)).toEqual([other.message.id]);
  });

  it('is delivered again without a limit while the storage is unavailable', async () => {
    const storage = new Choosy();
    const one = coded('SVC_UNREADABLE_EVENT');
    storage.unstorable.add(one.message.id);
    storage.failure = new StorageUnavailableError('none', new Error('away'));
    const { receive } = hostWith([one], storage);
    for (let i = 0; i < 30; i++) await expect(receive([])).rejects.toBe(storage.failure);
    storage.unstorable.clear();
    expect(await receive([])).toEqual([]);
    expect(await idsOf(storage)).toEqual([one.message.id]);
  });

  it('has its attempts counted from the start once it was left to the broker', async () => {
    const storage = new Choosy();
    const one = coded('SVC_UNREADABLE_EVENT');
    storage.unstorable.add(one.message.id);
    const { receive } = hostWith([one], storage);
    expect((await delivered(receive))[0]).toBe(10);
    expect((await delivered(receive))[0]).toBe(10);
  });
});

it('leaves a malformed message to the broker without an attempt to store it, and counts it', async () => {
  const malformed = coded('SVC_MALFORMED_CLOUD_EVENT');
  const { storage, receive, reports } = hostWith([malformed]);
  expect((await receive([])).map(({ message }) => message)).toEqual([malformed.message]);
  expect(await idsOf(storage)).toEqual([]);
  expect(reports).toEqual([malformed.cause]);
  const [event, ...others] = await storage.readOutgoing('system', 10);
  expect([event!.message!.type, others.length]).toEqual(['svc.MessageDeadLettered', 0]);
});

it('stores rejected messages without recording them as received, and leaves large ones to the broker', async () => {
  const rejection = new MessageRejectedError('UnprovenOrigin', 'no');
  const small = failed(rejection);
  const large = { ...failed(rejection), message: receivedMessage({ body: 'x'.repeat(70_000) }) };
  const { storage, receive } = hostWith([small, large]);
  expect(await receive([])).toEqual([large]);
  const letters = await storage.readDeadLetters(null, 10);
  expect(letters.map(({ cause, message }) => [cause, message.id])).toEqual([['UnprovenOrigin', small.message.id]]);
  const event = { ...small.message, expectedPosition: undefined };
  const received = { events: [event], outgoing: [], delivered: null, received: [small.message.id] };
  expect(() => storage.commit(received), 'the genuine message can arrive').not.toThrow();
});

it('writes nothing if all messages are processed', async () => {
  class Closed extends InMemoryStorage {
    override commit(): void {
      throw new Error('Nothing is to be stored.');
    }
  }
  expect(await hostWith([], new Closed()).receive([])).toEqual([]);
});
