import { expect, it } from 'vitest';
import { MessageRegistry, newId, type MessageEnvelope } from '../messages/index.js';
import { EventLog, InMemoryStorage, type OutgoingRecord, type UnitEventStore } from '../storage/index.js';
import { PublishingEventStoreDecorator } from './publishing-event-store-decorator.js';

class Open {}
class Local {}

it('appends each event, and queues those for the transport that the filter allows', () => {
  const steps: unknown[] = [];
  const log = new EventLog(new InMemoryStorage(), new MessageRegistry([]));
  const inner = {
    readAll: (after?: number) => log.readAll(after),
    append: (streamId: string, { id }: MessageEnvelope, options: unknown) => steps.push([streamId, id, options]),
  } as unknown as UnitEventStore;
  const outbox = { queue: (record: OutgoingRecord) => steps.push(record) };
  const filter = {
    shouldPublishToTransport: (message: object) => message instanceof Open,
    shouldReceiveFromTransport: () => false,
  };
  const store = new PublishingEventStoreDecorator(inner, outbox, filter);
  const [streamId, open, local] = [newId(), newId(), newId()];
  const envelope = (id: string, payload: object) => ({ id, type: 'shop.orders.Placed', payload }) as MessageEnvelope;
  store.append(streamId, envelope(open, new Open()), { expectedPosition: 3 });
  store.append(streamId, envelope(local, new Local()));
  expect(steps, 'the message after its event').toEqual([
    [streamId, open, { expectedPosition: 3 }],
    { id: open, lane: 'transport', destination: 'shop.orders', message: null, note: null, eventId: open },
    [streamId, local, undefined],
  ]);
});
