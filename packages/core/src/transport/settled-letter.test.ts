import { beforeEach, expect, it } from 'vitest';
import { MessageRegistry, newId } from '../messages/index.js';
import {
  EventLog,
  InMemoryStorage,
  MessageSettledError,
  type CommitRecord,
  type DeadLetterRecord,
} from '../storage/index.js';
import { deadLetterOf } from './dead-lettering.js';
import { isEdit, once, receivedOnce, resolve, type Replay } from './settled-letter.js';
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

const messages = new MessageRegistry([]);
let storage: InMemoryStorage;
let log: EventLog;
beforeEach(() => {
  storage = new InMemoryStorage();
  log = new EventLog(storage, messages);
});

/** A stored dead letter, and its replay. */
function replayOf(cause: DeadLetterRecord['cause']): Replay {
  const message = receivedMessage();
  const error = new Error('no');
  const letter = deadLetterOf(
    { direction: 'incoming', message, cause, error, attempts: 1, firstFailedAt: 0 },
    messages,
  );
  storage.commit(commitRecord({ deadLetters: [letter] }));
  const id = newId();
  const record = { ...letter.message, id, type: 'svc.DeadLetterReplayed' };
  const replayed = { id, lane: 'system', destination: 'audit', message: record, note: null, eventId: null } as const;
  return { log, letter, message: letter.message, replayed };
}

const edited = (replay: Replay): Replay => ({ ...replay, message: { ...replay.message, id: newId() } });
const queued = async () => (await storage.readOutgoing('system', 10)).map(({ id }) => id);
const letters = async () => (await storage.readDeadLetters(null, 10)).map(({ id }) => id);
const unknown = expect.objectContaining({ code: 'SVC_UNKNOWN_DEAD_LETTER' }) as Error;

it('resolves a dead letter once, and records that', async () => {
  const { letter, replayed } = replayOf('Unreadable');
  await resolve(log, letter.id, [replayed]);
  expect(await letters()).toEqual([]);
  expect(await queued()).toEqual([replayed.id]);
  await expect(resolve(log, letter.id, [])).rejects.toThrow(unknown);
});

it('passes on an error about another message, and any other error', async () => {
  const settled = new MessageSettledError(newId());
  await expect(once(newId(), () => Promise.reject(settled))).rejects.toBe(settled);
  const failure = Object.assign(new Error('no'), { messageId: newId() });
  await expect(once(failure.messageId, () => Promise.reject(failure))).rejects.toBe(failure);
  await expect(once(settled.messageId, () => Promise.reject(settled))).rejects.toThrow(unknown);
});

it('knows an edit by its message', () => {
  const replay = replayOf('Unreadable');
  expect([isEdit(replay), isEdit(edited(replay))]).toEqual([false, true]);
});

it.each([
  ['does not record a message as received again', 'Unreadable', false],
  ['records a rejected message as received, because its rejection did not', 'UnprovenOrigin', true],
] as const)('%s, and resolves its letter in the same commit', async (_, cause, isRecorded) => {
  const replay = replayOf(cause);
  const receivedId = newId();
  await receivedOnce(replay, log, receivedId, (settles) => {
    expect(settles).toEqual({
      received: isRecorded ? [receivedId] : [],
      resolved: replay.letter.id,
      outgoing: [replay.replayed],
    });
    return log.commit(commitRecord(settles));
  });
  expect(await letters()).toEqual([]);
  expect(await queued()).toEqual([replay.replayed.id]);
});

it('receives a message in another database, and resolves its letter afterwards', async () => {
  const replay = replayOf('Unreadable');
  const target = new EventLog(new InMemoryStorage(), messages);
  const receivedId = newId();
  await receivedOnce(replay, target, receivedId, async (settles) => {
    expect(settles).toEqual({ received: [receivedId] });
    expect(await letters(), 'not resolved yet').toEqual([replay.letter.id]);
  });
  expect(await letters()).toEqual([]);
  expect(await queued()).toEqual([replay.replayed.id]);
});

it('only resolves the letter of a message that has arrived since, but rejects an edit of it', async () => {
  const replay = replayOf('UnprovenOrigin');
  const settled = () => Promise.reject(new MessageSettledError(newId()));
  await expect(receivedOnce(edited(replay), log, newId(), settled)).rejects.toMatchObject({
    code: 'SVC_DEAD_LETTER_NOT_EDITABLE',
  });
  expect(await letters()).toEqual([replay.letter.id]);
  await receivedOnce(replay, log, newId(), settled);
  expect(await letters()).toEqual([]);
  expect(await queued()).toEqual([replay.replayed.id]);
});

it('does not resolve the letter of a message that fails', async () => {
  const replay = replayOf('Unreadable');
  const target = new EventLog(new InMemoryStorage(), messages);
  for (const to of [log, target]) {
    await expect(receivedOnce(replay, to, newId(), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  }
  expect(await letters()).toEqual([replay.letter.id]);
  expect(await queued()).toEqual([]);
});
