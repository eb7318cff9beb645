import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { registry } from '../generated/registry.js';
import { ServiceError, type ErrorCode } from '../errors/index.js';
import { MessageRegistry, newId } from '../messages/index.js';
import {
  DuplicateEventError,
  EventLog,
  ForeignStreamError,
  InMemoryStorage,
  type CommitRecord,
} from '../storage/index.js';
import { deadLettering } from './dead-lettering.js';
import { MessageRejectedError } from './message-rejected-error.js';
import { RejectedLetters } from './rejected-letters.js';
import { RejectionTally } from './rejection-tally.js';
import { storingDeadLetters } from './storing-dead-letters.js';
import type { ReceivedMessage, UnprocessableMessage } from './transport.js';

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
  const parts = { log, messages, options: null, isDeclared: () => true, report: () => {} };
  const rejected = new RejectedLetters(log, messages, new RejectionTally(parts));
  const toDeadLetters = deadLettering(messages, null);
  return { storage, receive: storingDeadLetters(() => Promise.resolve(unprocessable), log, toDeadLetters, rejected) };
}

const failed = (cause: Error, attempts?: number): UnprocessableMessage => ({
  message: receivedMessage({ provenOrigin: null }),
  cause,
  ...(attempts !== undefined && { attempts }),
});
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
