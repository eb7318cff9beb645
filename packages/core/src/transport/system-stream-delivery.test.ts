import { expect, it } from 'vitest';
import { MessageRegistry, newId, SystemEventStream, type MessageDescriptor } from '../messages/index.js';
import { EventLog, InMemoryStorage, type CommitRecord } from '../storage/index.js';
import { auditDestination } from '../system-events/index.js';
import { systemStreamDelivery } from './system-stream-delivery.js';

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

const commitRecord = (fields: Partial<CommitRecord>): CommitRecord => ({
  events: [],
  outgoing: [],
  delivered: null,
  received: [],
  ...fields,
});

class Open {}
class Local {}

const described = (type: string, made: MessageDescriptor['class']): MessageDescriptor => ({
  type,
  kind: 'systemEvent',
  class: made,
  read: () => new made(),
  write: () => '{}',
});
const messages = new MessageRegistry([described('svc.Open', Open), described('svc.Local', Local)]);
const onlyOpen = {
  shouldPublishToTransport: (message: object) => message === Open,
  shouldReceiveFromTransport: () => false,
};

/** A storage with queued records of these types. */
function storageWith(types: readonly string[]): InMemoryStorage {
  const storage = new InMemoryStorage();
  const outgoing = types.map((type) => {
    const id = newId();
    const ids = { id, correlationId: id, causationId: null };
    const message = { ...ids, type, body: '{}', timestamp: 0, scope: null, metadata: {} };
    return { id, lane: 'system', destination: auditDestination, message, note: null, eventId: null } as const;
  });
  storage.commit(commitRecord({ outgoing }));
  return storage;
}

it.each([
  ['publishes those that the filter allows, and none of an unknown type', onlyOpen, ['svc.Open']],
  ['publishes none without a filter', null, []],
])('appends queued records to the system stream once, and %s', async (_, filter, published) => {
  const types = ['svc.Open', 'svc.Local', 'svc.OfAnotherVersion'];
  const storage = storageWith(types);
  const waiting = await storage.readOutgoing('system', 10);
  await systemStreamDelivery(new EventLog(storage, messages), messages, filter)(waiting);
  const stored = await collect(storage.readAll());
  expect(stored.map(({ id, type, streamId }) => [id, type, streamId])).toEqual(
    types.map((type, i) => [waiting[i]!.id, type, SystemEventStream.streamId]),
  );
  expect(await storage.readOutgoing('system', 10)).toEqual([]);
  const outgoing = await storage.readOutgoing('transport', 10);
  expect(outgoing.map(({ event, destination }) => [event!.type, destination])).toEqual(
    published.map((type) => [type, auditDestination]),
  );
});
