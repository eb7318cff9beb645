/** A service that charges each placed order, and fails at random. */
import { createService, newId, reaction, uuid } from '@svc/core';

class Placed {}
class Charged {}

const retry = { attempts: 1_000, firstDelayMs: 5, longestDelayMs: 50 };
class ChargeOnPlaced {
  async react(_event, context) {
    context.append(context.envelope.streamId, new Charged());
    if (Math.random() < 0.3) await new Promise((resolve) => setTimeout(resolve, 2));
    if (Math.random() < 0.1) throw new Error('at random');
  }
}
reaction({ retry, from: 'beginning' })(ChargeOnPlaced);

const message = (type, messageClass) => ({
  type,
  kind: 'event',
  class: messageClass,
  read: () => new messageClass(),
  write: () => '{}',
});

const registry = {
  messages: [message('kills.Placed', Placed), message('kills.Charged', Charged)],
  receptors: [],
  endpoints: [],
  reactions: [{ name: 'ChargeOnPlaced', class: ChargeOnPlaced, events: [Placed], create: () => new ChargeOnPlaced() }],
  openapi: { paths: {}, components: { schemas: {} } },
};

export const streams = Array.from({ length: 20 }, (_, i) =>
  uuid(`00000000-0000-4000-8000-0000000000${String(i).padStart(2, '0')}`),
);

export async function startChargeService(storage, report = () => {}) {
  const service = createService(registry).useStorage(storage).addServiceReactions().reportTo(report);
  service.start();
  await service.ready();
  return service;
}

export async function place(service, streamId) {
  const id = newId();
  await service.eventStore.append(streamId, {
    id,
    type: 'kills.Placed',
    payload: new Placed(),
    streamId,
    timestamp: new Date(),
    correlationId: id,
    causationId: null,
    scope: null,
    metadata: {},
  });
}
