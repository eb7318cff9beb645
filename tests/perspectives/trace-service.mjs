/** A service whose models are the ids of their events. Plain JavaScript, so that it runs in processes of its own. */
import { createService } from '@svc/core';
import { EventLog, MessageRegistry, wrap } from '@svc/core/testing';

export class Counted {
  note = '';
}

/** One trace for each stream. */
export class streamTraces {
  apply(model, _event, { id }) {
    return { ids: [...(model?.ids ?? []), id] };
  }
}

/** One for each of three notes, over all streams. */
export class noteTraces {
  keyOf({ note }) {
    return note;
  }

  apply(model, _event, { id }) {
    return { ids: [...(model?.ids ?? []), id] };
  }
}

export const noteOf = (id) => ['a', 'b', 'c'][Number.parseInt(id.slice(-2), 16) % 3];
export const streams = Array.from({ length: 4 }, (_, i) => `01912d68-783e-7a03-8467-5661c1243ad${i}`);

const described = (perspective) => ({
  name: perspective.name,
  class: perspective,
  events: [Counted],
  readModel: (value) => value,
  writeModel: JSON.stringify,
  create: () => new perspective(),
});

const registry = {
  messages: [
    {
      type: 'traces.Counted',
      kind: 'event',
      class: Counted,
      read: (value) => Object.assign(new Counted(), value),
      write: JSON.stringify,
    },
  ],
  receptors: [],
  endpoints: [],
  perspectives: [described(streamTraces), described(noteTraces)],
  openapi: { paths: {}, components: { schemas: {} } },
};

export async function startTraceService(storage, report = () => {}) {
  const service = createService(registry)
    .useStorage(storage)
    .addSystemEvents((options) => options.enablePerspectiveEvents())
    .addServicePerspectives()
    .reportTo(report)
    .start();
  await service.ready();
  return service;
}

export async function countOf(service, streamId, id) {
  const event = Object.assign(new Counted(), { note: noteOf(id) });
  await service.eventStore.append(streamId, wrap('traces.Counted', event, { id, streamId }));
}

/** An event of another database, which keeps its id and may come late. */
export async function receive(storage, streamId, id) {
  const log = new EventLog(storage, new MessageRegistry(registry.messages));
  const event = Object.assign(new Counted(), { note: noteOf(id) });
  const record = log.eventRecord(streamId, wrap('traces.Counted', event, { id, streamId }));
  const events = [{ ...record, metadata: { ...record.metadata, origin: 'elsewhere' } }];
  await log.commit({ events, outgoing: [], delivered: null, received: [id] });
}
