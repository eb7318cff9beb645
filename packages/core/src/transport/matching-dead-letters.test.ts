import { expect, it } from 'vitest';
import { newId } from '../messages/index.js';
import { DeadLetterCause, InMemoryStorage, type CommitRecord, type DeadLetterRecord } from '../storage/index.js';
import { deadLetterOf } from './dead-lettering.js';
import { MessageRegistry } from '../messages/index.js';
import { matchingDeadLetters } from './matching-dead-letters.js';
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

const template = deadLetterOf(
  {
    direction: 'incoming',
    message: receivedMessage(),
    cause: DeadLetterCause.Unreadable,
    error: new Error('no'),
    attempts: 1,
    firstFailedAt: 0,
  },
  new MessageRegistry([]),
);

/** Dead letters in a storage, which counts how often they are read and how many at once. */
class Letters extends InMemoryStorage {
  readonly sizes: number[] = [];

  override readDeadLetters(after: Parameters<InMemoryStorage['readDeadLetters']>[0], limit: number) {
    this.sizes.push(limit);
    return super.readDeadLetters(after, limit);
  }

  add(count: number, fields: (index: number) => Partial<DeadLetterRecord> = () => ({})): readonly DeadLetterRecord[] {
    const deadLetters = Array.from({ length: count }, (_, i) => ({ ...template, id: newId(), ...fields(i) }));
    this.commit(commitRecord({ deadLetters }));
    return deadLetters;
  }
}

it('returns the oldest first, as many as the limit, and continues after the last of a page', async () => {
  const letters = new Letters();
  const added = letters.add(5);
  expect(await matchingDeadLetters(letters, { limit: 3 })).toEqual(added.slice(0, 3));
  expect(await matchingDeadLetters(letters, { limit: 3, after: added[2]!.id })).toEqual(added.slice(3));
  expect(await matchingDeadLetters(letters, { limit: 5 })).toEqual(added);
  expect(letters.sizes, 'reads no more than it returns').toEqual([3, 3, 5]);
});

it('returns those of a direction, of a cause, and of both', async () => {
  const letters = new Letters();
  const [a, b, c, d] = letters.add(4, (i) => ({
    direction: i < 2 ? 'incoming' : 'outgoing',
    cause: i % 2 === 0 ? 'TooLarge' : 'Refused',
  }));
  expect(await matchingDeadLetters(letters, { limit: 9, direction: 'outgoing' })).toEqual([c, d]);
  expect(await matchingDeadLetters(letters, { limit: 9, cause: 'TooLarge' })).toEqual([a, c]);
  expect(await matchingDeadLetters(letters, { limit: 9, direction: 'incoming', cause: 'Refused' })).toEqual([b]);
  expect(await matchingDeadLetters(letters, { limit: 1, direction: 'outgoing' })).toEqual([c]);
  expect(letters.sizes, 'reads whole pages, because few may match').toEqual([500, 500, 500, 500]);
});

it('reads further pages until enough letters are visible, or none is left', async () => {
  const letters = new Letters();
  const added = letters.add(1_000);
  const isVisible = ({ id }: DeadLetterRecord): boolean => added.slice(998).some((letter) => letter.id === id);
  expect(await matchingDeadLetters(letters, { limit: 400 }, isVisible)).toEqual(added.slice(998));
  expect(letters.sizes).toEqual([400, 400, 400]);
  letters.sizes.length = 0;
  expect(await matchingDeadLetters(letters, { limit: 700 })).toEqual(added.slice(0, 700));
  expect(letters.sizes).toEqual([500, 500]);
  letters.sizes.length = 0;
  expect(await matchingDeadLetters(letters, { limit: 500, cause: 'Refused' })).toEqual([]);
  expect(letters.sizes, 'the last page is empty').toEqual([500, 500, 500]);
});
