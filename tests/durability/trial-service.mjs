/** A service with one command that appends one event, with everything audited. Plain JavaScript, so that it runs in processes of its own. */
import { createService } from '@svc/core';

export class Count {
  streamId;
  number;
}

export class Counted {
  number;
}

const message = (type, kind, messageClass) => ({
  type,
  kind,
  class: messageClass,
  read: (value) => Object.assign(new messageClass(), value),
  write: (value) => JSON.stringify(value),
});

const registry = {
  messages: [message('trial.Count', 'command', Count), message('trial.Counted', 'event', Counted)],
  receptors: [
    {
      name: 'CountReceptor',
      command: Count,
      create: () => ({
        receive({ streamId, number }, context) {
          context.append(streamId, Object.assign(new Counted(), { number }));
          return number;
        },
      }),
    },
  ],
  endpoints: [],
  openapi: { paths: {}, components: { schemas: {} } },
};

/** The service, before it starts. */
export function trialService(storage, report = () => {}) {
  return createService(registry)
    .useStorage(storage)
    .addSystemEventAuditing((options) => options.enableAudit())
    .reportTo(report);
}

export async function startTrialService(storage, report) {
  const service = trialService(storage, report).start();
  await service.ready();
  return service;
}

export function count(service, streamId, number) {
  return service.dispatcher.invoke(Object.assign(new Count(), { streamId, number }));
}
