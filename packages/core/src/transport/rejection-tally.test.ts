import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { registry } from '../generated/registry.js';
import { MessageRegistry, newId } from '../messages/index.js';
import { EventLog, InMemoryStorage, type CommitRecord } from '../storage/index.js';
import { SystemEventOptions, type MessageDeadLettered } from '../system-events/index.js';
import { deadLetterOf } from './dead-lettering.js';
import type { RejectionCause } from './message-rejected-error.js';
import { RejectionTally, windowMs, type RejectedMessage } from './rejection-tally.js';
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

/** A storage that can fail. */
class Storage extends InMemoryStorage {
  failure: Error | null = null;
  commits = 0;

  override commit(record: CommitRecord): void {
    this.commits++;
    if (this.failure !== null) throw this.failure;
    super.commit(record);
  }
}

class Happened {}

/** A tally, and what it emits. `enabled`: whether error events are enabled; null: no system events. */
function tallyWith({ enabled = true }: { readonly enabled?: boolean | null } = {}) {
  const storage = new Storage();
  const messages = new MessageRegistry([
    ...registry.messages,
    { type: 'test.Happened', kind: 'event', class: Happened, read: () => new Happened(), write: () => '{}' },
  ]);
  const log = new EventLog(storage, messages);
  const options = enabled === null ? null : new SystemEventOptions();
  if (enabled === true) options!.enableErrorEvents();
  const reports: unknown[] = [];
  const report = (error: unknown): void => void reports.push(error);
  const tally = new RejectionTally({ log, messages, options, isDeclared: (host) => host === 'north', report });

  const rejected = (fields: Partial<ReceivedMessage> = {}, cause: RejectionCause = 'UnprovenOrigin') => {
    const message = receivedMessage({ origin: 'north', provenOrigin: null, ...fields });
    const error = new Error(`${cause} of ${message.origin}`);
    const failed = { direction: 'incoming', message, cause, error, attempts: 1, firstFailedAt: 0 } as const;
    return { letter: deadLetterOf(failed, messages), error };
  };
  /** Counts messages as `RejectedLetters` does. */
  const receive = (...some: readonly RejectedMessage[]): void => {
    const outgoing = tally.opening(some);
    if (outgoing.length > 0) void log.commit(commitRecord({ outgoing }));
    tally.add(some);
  };
  /** What was emitted since the last call. */
  let seen = 0;
  const emitted = async (): Promise<MessageDeadLettered[]> => {
    const all = await storage.readOutgoing('system', 10_000);
    const bodies = all.slice(seen).map(({ message }) => JSON.parse(message!.body) as MessageDeadLettered);
    seen = all.length;
    return bodies;
  };
  const counts = async () => (await emitted()).map(({ count }) => count);
  return { storage, tally, reports, rejected, receive, emitted, counts };
}

it('emits and reports the first of each origin, cause and type, without what the message contains', async () => {
  const { tally, rejected, receive, emitted, reports } = tallyWith();
  const scope = { tenantId: 'victim' };
  const first = rejected({ body: '{"secret":1}', scope, metadata: { note: 'x' } });
  const others = [
    rejected({ origin: 'mallory' }),
    rejected({ origin: 'mallory', provenOrigin: 'proven' }),
    rejected({ type: 'test.Unknown' }),
    rejected({}, 'TypeMismatch'),
  ];
  receive(first, rejected(), ...others, rejected({ origin: 'trudy' }));
  const events = await emitted();
  expect(events.map(({ cause, origin, messageType }) => [cause, origin, messageType])).toEqual([
    ['UnprovenOrigin', 'north', 'test.Happened'],
    ['UnprovenOrigin', 'other', 'test.Happened'],
    ['UnprovenOrigin', 'proven', 'test.Happened'],
    ['UnprovenOrigin', 'north', 'other'],
    ['TypeMismatch', 'north', 'test.Happened'],
  ]);
  for (const event of events) expect(event).not.toHaveProperty('count');
  expect(events[0]).toMatchObject({ messageId: first.letter.message.id, attempt: 1 });
  expect(events[0]).not.toHaveProperty('scope');
  expect(reports).toEqual([first.error, ...others.map(({ error }) => error)]);
  await tally.close();
});

it('emits the others of a minute together, and forgets a kind that did not repeat', async () => {
  const { tally, rejected, receive, emitted, counts, storage } = tallyWith();
  receive(rejected());
  expect(await counts()).toEqual([undefined]);
  const last = rejected();
  for (const one of [rejected(), last]) receive(one);
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(windowMs - 1);
  expect(await counts(), 'not before the minute ends').toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(await emitted()).toMatchObject([{ count: 2, messageId: last.letter.message.id }]);
  receive(rejected());
  await vi.advanceTimersByTimeAsync(windowMs);
  const [again] = await emitted();
  expect(again, 'a single further one').not.toHaveProperty('count');
  const { commits } = storage;
  await vi.advanceTimersByTimeAsync(windowMs);
  expect(await counts(), 'a quiet minute').toEqual([]);
  await vi.advanceTimersByTimeAsync(10 * windowMs);
  expect(storage.commits).toBe(commits);
  expect(vi.getTimerCount()).toBe(0);
  receive(rejected());
  expect(await counts(), 'the first after it').toEqual([undefined]);
  await tally.close();
});

it('emits counts with the next record if a commit fails, and reports the failure', async () => {
  const { tally, storage, rejected, receive, counts, reports } = tallyWith();
  receive(rejected(), rejected(), rejected());
  await counts();
  reports.length = 0;
  storage.failure = new Error('The disk is full.');
  await vi.advanceTimersByTimeAsync(windowMs);
  expect(reports).toEqual([storage.failure]);
  storage.failure = null;
  receive(rejected());
  await vi.advanceTimersByTimeAsync(windowMs);
  expect(await counts()).toEqual([3]);
  await tally.close();
});

it('emits all counts when it is closed, and nothing afterwards', async () => {
  const { tally, rejected, receive, counts } = tallyWith();
  receive(rejected(), rejected(), rejected());
  await counts();
  await tally.close();
  expect(await counts()).toEqual([2]);
  expect(vi.getTimerCount()).toBe(0);
  await tally.close();
  expect(await counts()).toEqual([]);
});

it('counts kinds beyond 200 together, one for each cause', async () => {
  const { tally, rejected, receive, emitted } = tallyWith();
  for (let i = 0; i < 210; i++) receive(rejected({ provenOrigin: `host-${i}` }));
  const events = await emitted();
  expect(events).toHaveLength(201);
  expect(events.slice(199).map(({ origin }) => origin)).toEqual(['host-199', 'host-200']);
  receive(rejected({ provenOrigin: 'host-0' }), rejected({ provenOrigin: 'host-300' }, 'TypeMismatch'));
  expect(await emitted()).toMatchObject([{ cause: 'TypeMismatch', origin: 'host-300' }]);
  await tally.close();
  expect((await emitted()).map(({ origin, count }) => [origin, count])).toEqual([
    ['host-0', undefined],
    ['host-209', 9],
  ]);
});

it.each([null, false])('reports, but emits nothing if system events are off: %s', async (enabled) => {
  const { tally, storage, rejected, receive, reports } = tallyWith({ enabled });
  receive(rejected(), rejected());
  await vi.advanceTimersByTimeAsync(windowMs);
  await tally.close();
  expect(storage.commits).toBe(0);
  expect(reports).toHaveLength(1);
});
