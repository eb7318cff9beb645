/** A service with one command that appends one event, with everything audited, published, and some of it refused. Plain JavaScript, so that it runs in processes of its own. */
import { commandEndpoint, createService, RestMutationEndpointBase } from '@svc/core';
import { CommandRequest } from '@svc/core/hosting';
import { MessageUndeliverableError } from '@svc/core/transport';

export class Count {
  streamId;
  number;
}

commandEndpoint({ restRoute: '/counts' })(Count);

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
  endpoints: [
    {
      name: 'CountEndpoint',
      command: Count,
      restRoute: '/counts',
      graphQLMutation: null,
      readRequest: (value) => Object.assign(new Count(), value),
      writeResult: JSON.stringify,
      create: ({ dispatcher }) => new (class CountEndpoint extends RestMutationEndpointBase {})(dispatcher),
    },
  ],
  openapi: { paths: {}, components: { schemas: {} } },
};

/** Whether the broker of `rejectingTransport` never takes the event with this number. */
export const isRejected = (number) => number % 7 === 0;

/** A broker that takes everything but some messages, which it will never take. */
export const rejectingTransport = {
  async publish(messages) {
    await new Promise((resolve) => setImmediate(resolve));
    const rejected = messages.find(({ body }) => isRejected(JSON.parse(body).number));
    if (rejected !== undefined) throw new MessageUndeliverableError(rejected.id, 'Refused');
  },
  subscribe: () => Promise.resolve({ isUp: true, close: () => Promise.resolve() }),
};

/** The service, before it starts. */
export function trialService(storage, report = () => {}, transport = null) {
  const service = createService(registry)
    .useStorage(storage)
    .addSystemEventAuditing((options) => options.enableAudit())
    .reportTo(report);
  return transport === null ? service : service.useTransport(transport);
}

export async function startTrialService(storage, report, transport) {
  const service = trialService(storage, report, transport).start();
  await service.ready();
  return service;
}

export function count(service, streamId, number, key) {
  const command = Object.assign(new Count(), { streamId, number });
  if (key === undefined) return service.dispatcher.invoke(command);
  const keyed = { key, message: command, sent: { streamId, number } };
  return service.idempotentRequests.handle(service.endpoints[0], keyed, new CommandRequest());
}
