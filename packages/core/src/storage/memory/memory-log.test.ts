import { describe, expect, it } from 'vitest';
import { newId } from '../../messages/index.js';
import { InMemoryStorage } from './in-memory-storage.js';
import { MemoryLog } from './memory-log.js';
import type { EventRecord, PendingRecord } from '../storage.js';

const eventWith = (over: Partial<PendingRecord>): PendingRecord => ({
  id: newId(),
  type: 'shop.Renamed',
  streamId: newId(),
  body: '{}',
  timestamp: 1_700_000_000_000.5,
  correlationId: newId(),
  causationId: null,
  scope: null,
  metadata: {},
  expectedPosition: undefined,
  ...over,
});

const partsOf = (event: EventRecord): EventRecord => {
  const { id, type, streamId, body, timestamp, correlationId, causationId, scope, metadata } = event;
  return { id, type, streamId, body, timestamp, correlationId, causationId, scope, metadata };
};

describe('a log in memory', () => {
  it('has every event as it came, small ones, long ones, and those around a long one', () => {
    const log = new MemoryLog();
    const lengths = [1, 5_000, 20_000, 400_000, 2_000_000, 1, 1_100_000, 1, 30];
    const events = [
      eventWith({}),
      eventWith({ causationId: newId(), scope: { tenantId: 'a\nb', userId: 'ü' }, metadata: { lines: 'c\nd' } }),
      eventWith({ body: '{\n  "name": "Zoë 🐘 漢字"\n}' }),
      ...lengths.map((length) => eventWith({ body: JSON.stringify('x'.repeat(length)) })),
      ...lengths.map((length) => eventWith({ body: JSON.stringify('漢'.repeat(length)) })),
      ...Array.from({ length: 5_000 }, (_, i) => eventWith({ body: `{"number":${i}}` })),
    ];
    events.forEach((event, i) => log.add(log.write(event), i * 2));

    expect(log.length).toBe(events.length);
    events.forEach((event, i) => {
      const kept = log.at(i);
      expect(partsOf(kept)).toEqual(partsOf(event));
      expect(kept).toMatchObject({ sequence: i, position: i * 2 });
    });
  });

  it('finds an event by its id, however many there are, and those that come later', () => {
    const log = new MemoryLog();
    const events = Array.from({ length: 20_000 }, () => eventWith({}));
    for (const [i, event] of events.entries()) {
      log.add(log.write(event), 0);
      if (i % 5_000 === 0) expect([log.find(event.id), log.find(newId())]).toEqual([i, -1]);
    }
    expect(events.map(({ id }) => log.find(id))).toEqual([...events.keys()]);
    expect(log.find(newId())).toBe(-1);
  });
});

it('a storage in memory keeps nothing of a record that has something JSON cannot hold', async () => {
  const storage = new InMemoryStorage();
  const events = [eventWith({}), eventWith({ metadata: { amount: 1n } })];
  const record = { events, outgoing: [], delivered: null, received: [newId()] };
  expect(() => storage.commit(record)).toThrow(TypeError);
  expect(await storage.findPlace(events[0]!.id)).toBeNull();
  expect(await storage.lastPosition(events[0]!.streamId)).toBe(-1);
  storage.commit({ ...record, events: [events[0]!] });
  expect(await storage.findPlace(events[0]!.id)).toEqual({ sequence: 0, tenant: '' });
});
