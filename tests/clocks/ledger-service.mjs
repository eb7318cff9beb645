/** A service whose models tell in which order they got their events. Plain JavaScript, so that it runs in processes of its own. */
import { createService } from '@svc/core';
import { collect } from '@svc/core/testing';

/** Appends one event, after its receptor has read other streams. `seen`: labels that its sender has read before. */
export class Record {
  streamId;
  ledger;
  label;
  reads;
  seen;
}

/** `seen`: the labels of all events that were read before this one was appended, which are its causes. */
export class Recorded {
  ledger;
  label;
  seen;
}

/** The events of one stream. */
export class Streams {
  apply(model, { label }) {
    return { labels: [...(model?.labels ?? []), label] };
  }
}

/** The events of all streams with the same ledger. */
export class Ledgers {
  keyOf({ ledger }) {
    return ledger;
  }

  apply(model, { label }) {
    return { labels: [...(model?.labels ?? []), label] };
  }
}

const message = (type, kind, messageClass) => ({
  type,
  kind,
  class: messageClass,
  read: (value) => Object.assign(new messageClass(), value),
  write: (value) => JSON.stringify(value),
});

const perspective = (perspectiveClass) => ({
  name: perspectiveClass.name,
  class: perspectiveClass,
  events: [Recorded],
  readModel: (value) => value,
  writeModel: JSON.stringify,
  create: () => new perspectiveClass(),
});

const registry = {
  messages: [message('ledger.Record', 'command', Record), message('ledger.Recorded', 'event', Recorded)],
  receptors: [
    {
      name: 'RecordReceptor',
      command: Record,
      create: () => ({
        async receive({ streamId, ledger, label, reads, seen }, context) {
          const causes = new Set(seen);
          for (const id of reads) {
            for (const { envelope } of await collect(context.readStream(id))) causes.add(envelope.payload.label);
          }
          context.append(streamId, Object.assign(new Recorded(), { ledger, label, seen: [...causes] }));
        },
      }),
    },
  ],
  endpoints: [],
  perspectives: [perspective(Streams), perspective(Ledgers)],
  openapi: { paths: {}, components: { schemas: {} } },
};

export function ledgerService(storage) {
  return createService(registry)
    .useStorage(storage)
    .addSystemEventAuditing((options) => options.enableAll())
    .addServicePerspectives();
}
