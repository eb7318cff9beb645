/** A service whose commands schedule others, in plain JavaScript, so that it runs in processes of its own. */
import { createService } from '@svc/core';

export class Start {
  number;
}
export class Finish {
  number;
}
export class Started {
  number;
}
export class Finished {
  number;
}

const message = (kind, messageClass) => ({
  type: `trial.${messageClass.name}`,
  kind,
  class: messageClass,
  read: (value) => Object.assign(new messageClass(), value),
  write: (value) => JSON.stringify(value),
});

const receptor = (command, receive) => ({ name: `${command.name}Receptor`, command, create: () => ({ receive }) });

/** Each third one is due at once, a little later, or under a key that replaces what was scheduled for much later. */
function start({ number }, context) {
  const command = Object.assign(new Finish(), { number });
  context.append(context.envelope.id, Object.assign(new Started(), { number }));
  if (number % 3 === 0) return context.send(command);
  if (number % 3 === 1) return context.schedule(command, { after: { milliseconds: 20 } });
  const key = `finish ${number}`;
  context.schedule(command, { after: { days: 1 }, key });
  return context.schedule(command, { after: { milliseconds: 5 }, key });
}

/** Fails at first, now and then. */
function finish({ number }, context) {
  if (number % 7 === 0 && context.attempt === 1) throw new Error('Not at the first attempt.');
  context.append(context.envelope.id, Object.assign(new Finished(), { number }));
}

const registry = {
  messages: [
    message('command', Start),
    message('command', Finish),
    message('event', Started),
    message('event', Finished),
  ],
  receptors: [receptor(Start, start), receptor(Finish, finish)],
  endpoints: [],
  openapi: { paths: {}, components: { schemas: {} } },
};

export async function startScheduling(storage) {
  const service = createService(registry)
    .useStorage(storage)
    .addSystemEventAuditing((options) => options.enableAudit())
    .reportTo(() => {})
    .start();
  await service.ready();
  return service;
}

export function begin(service, number) {
  return service.dispatcher.invoke(Object.assign(new Start(), { number }));
}
