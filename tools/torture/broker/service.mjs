/** A service whose command appends a number to a stream. Everything is audited, and other hosts receive its events. */
import { createService } from '@svc/core';

class Count {}
class Counted {}

const message = (type, kind, messageClass) => ({
  type,
  kind,
  class: messageClass,
  read: (value) => Object.assign(new messageClass(), value),
  write: (value) => JSON.stringify(value),
});

const registry = {
  messages: [message('numbers.Count', 'command', Count), message('numbers.Counted', 'event', Counted)],
  receptors: [
    {
      name: 'CountReceptor',
      command: Count,
      create: () => ({
        receive: ({ streamId, number }, context) => context.append(streamId, Object.assign(new Counted(), { number })),
      }),
    },
  ],
  endpoints: [],
  openapi: { paths: {}, components: { schemas: {} } },
};

/** The service, before it starts. It accepts the events of `hosts`. */
export function countingService(storage, transport, hosts) {
  return createService(registry)
    .useStorage(storage)
    .useTransport(transport)
    .acceptEvents({ from: hosts, namespaces: ['numbers'] })
    .addSystemEventAuditing((options) => options.enableAudit())
    .reportTo(() => {});
}

export async function count(service, streamId, number) {
  await service.dispatcher.invoke(Object.assign(new Count(), { streamId, number }));
}
