import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterEach, expect, it } from 'vitest';
import { newId } from '../../messages/index.js';
import type { CommitRecord } from '../commit-record.js';
import type { PendingRecord } from '../event-record.js';
import { publishAppended } from './appended-channel.js';

const name = 'svc.events.appended';
const published: unknown[] = [];
const listener = (message: unknown): void => void published.push(message);

afterEach(() => {
  unsubscribe(name, listener);
  published.length = 0;
});

function pending(type: string): PendingRecord {
  const id = newId();
  const envelope = { timestamp: 0, correlationId: id, causationId: null, scope: { userId: 'u' }, metadata: {} };
  return { id, type, streamId: newId(), body: '{"secret":1}', ...envelope, expectedPosition: undefined };
}

const record = (events: readonly PendingRecord[]): CommitRecord => ({
  events,
  outgoing: [],
  delivered: null,
  received: [],
});

it('publishes the id, type and stream of each event of a record, in order and without bodies', () => {
  subscribe(name, listener);
  const events = [pending('test.One'), pending('test.Two')];
  publishAppended(record(events));
  expect(published).toEqual([{ events: events.map(({ id, type, streamId }) => ({ id, type, streamId })) }]);
});

it('publishes nothing for a record without events', () => {
  subscribe(name, listener);
  publishAppended(record([]));
  expect(published).toEqual([]);
});

it('does not read the events when there is no subscriber', () => {
  const unread = {
    ...record([]),
    get events(): readonly PendingRecord[] {
      return new Proxy([pending('test.One')], {
        get: (target, key, receiver) => {
          if (key === 'map') throw new Error('The events were read.');
          return Reflect.get(target, key, receiver) as unknown;
        },
      });
    },
  };
  expect(() => publishAppended(unread)).not.toThrow();
  subscribe(name, listener);
  expect(() => publishAppended(unread)).toThrow('The events were read.');
});
