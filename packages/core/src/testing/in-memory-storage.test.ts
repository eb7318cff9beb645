import { expect, it } from 'vitest';
import { newId } from '../messages/index.js';
import { InMemoryStorage } from '../storage/index.js';
import { commitRecord, pendingRecord } from './records.js';

it('stores nothing of a record whose outgoing message is about an unknown event', async () => {
  const storage = new InMemoryStorage();
  const [event, id] = [pendingRecord(newId()), newId()];
  const outgoing = [{ id, lane: 'system', destination: 'audit', message: null, note: '{}', eventId: newId() } as const];
  expect(() => storage.commit(commitRecord({ events: [event], outgoing }))).toThrow(TypeError);
  expect(await storage.findEvent(event.id)).toBeNull();
  expect(await storage.readOutgoing('system', 10)).toEqual([]);
});

it('returns each reader its own record, which cannot change the stored one', async () => {
  const storage = new InMemoryStorage();
  const event = pendingRecord(newId(), { metadata: { note: { text: 'true' } } });
  storage.commit(commitRecord({ events: [event] }));
  const read = (await storage.findEvent(event.id))!;
  expect(() => Object.assign(read.metadata['note'] as object, { text: 'false' })).toThrow(TypeError);
  Object.assign(read, { type: 'test.Changed' });
  expect(await storage.findEvent(event.id)).toMatchObject({ type: event.type, metadata: event.metadata });
});
