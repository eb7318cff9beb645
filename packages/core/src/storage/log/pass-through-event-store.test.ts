import { expect, it } from 'vitest';
import { newId, wrap } from '../../messages/index.js';
import type { StoredEvent, UnitEventStore } from './event-store.js';
import { PassThroughEventStore } from './pass-through-event-store.js';

class Happened {}

async function* noEvents(): AsyncIterable<StoredEvent> {}

/** Records the arguments of every call. */
class RecordingStore implements UnitEventStore {
  readonly calls: unknown[][] = [];
  readonly stream = noEvents();
  readonly all = noEvents();
  readonly event: StoredEvent = {
    streamId: newId(),
    position: 4,
    sequence: 9,
    envelope: wrap('test.Happened', new Happened()),
  };

  append(...args: unknown[]): void {
    this.calls.push(['append', ...args]);
  }

  readStream(...args: unknown[]): AsyncIterable<StoredEvent> {
    this.calls.push(['readStream', ...args]);
    return this.stream;
  }

  findEvent(...args: unknown[]): Promise<StoredEvent> {
    this.calls.push(['findEvent', ...args]);
    return Promise.resolve(this.event);
  }

  readAll(...args: unknown[]): AsyncIterable<StoredEvent> {
    this.calls.push(['readAll', ...args]);
    return this.all;
  }

  lastPosition(...args: unknown[]): Promise<number> {
    this.calls.push(['lastPosition', ...args]);
    return Promise.resolve(17);
  }
}

class Decorator extends PassThroughEventStore {}

it('passes every operation to the inner store and returns its results', async () => {
  const inner = new RecordingStore();
  const store = new Decorator(inner);
  const [streamId, eventId] = [newId(), newId()];
  const envelope = wrap('test.Happened', new Happened(), { streamId });
  const options = { expectedPosition: 3 };
  store.append(streamId, envelope, options);
  expect(store.readStream(streamId, 2)).toBe(inner.stream);
  expect(await store.findEvent(eventId)).toBe(inner.event);
  expect(store.readAll(5)).toBe(inner.all);
  expect(await store.lastPosition(streamId)).toBe(17);
  expect(inner.calls).toEqual([
    ['append', streamId, envelope, options],
    ['readStream', streamId, 2],
    ['findEvent', eventId],
    ['readAll', 5],
    ['lastPosition', streamId],
  ]);
});
