/** A service whose models tell in which order they got their events. Plain JavaScript, so that it runs in processes of its own. */
import { createService } from '@svc/core';
import { collect } from '@svc/core/testing';

/** Appends one event, after its receptor has read other streams. */
export class Record {
  streamId;
  ledger;
  label;
  reads;
}

export class Recorded {
  ledger;
  label;
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
        async receive({ streamId, ledger, label, reads }, context) {
          for (const id of reads) await collect(context.readStream(id));
          context.append(streamId, Object.assign(new Recorded(), { ledger, label }));
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
