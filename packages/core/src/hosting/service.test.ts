import { describe, expect, it } from 'vitest';
import { commandEndpoint, MutationEndpointBase } from '../endpoints/index.js';
import type { HostParts } from './service-registry.js';
import { newId, type Command, type Event, type MessageClass, type MessageDescriptor } from '../messages/index.js';
import { InMemoryStorage } from '../storage/index.js';
import { createService } from './service.js';
import type { ServiceRegistry } from './service-registry.js';

class Greet implements Command {
  name = 'you';
}
class Leave {}
commandEndpoint<Greet, string>({ restRoute: '/greet' })(Greet);

class GreetEndpoint extends MutationEndpointBase<Greet, string> {}

const message = (type: string, messageClass: MessageClass): MessageDescriptor => ({
  type,
  kind: 'command',
  class: messageClass,
  read: () => new messageClass(),
  write: () => '{}',
});

const greeting = { name: 'GreetReceptor', command: Greet };
const registry: ServiceRegistry<{ readonly greeting: string }> = {
  messages: [message('test.Greet', Greet)],
  receptors: [
    {
      ...greeting,
      create: (_dispatcher, services) => ({ receive: (command: Greet) => `${services.greeting}, ${command.name}` }),
    },
  ],
  endpoints: [
    {
      name: 'GreetEndpoint',
      command: Greet,
      restRoute: '/greet',
      graphQLMutation: null,
      readRequest: () => new Greet(),
      writeResult: (value: string) => JSON.stringify(value),
      create: (host: HostParts) => new GreetEndpoint(host.dispatcher),
    },
  ],
  openapi: { paths: {}, components: { schemas: {} } },
};

it('passes services to the constructors of receptors and endpoints', async () => {
  const service = createService(registry, { greeting: 'Good day' }).start();
  await expect(service.dispatcher.invoke(new Greet())).resolves.toBe('Good day, you');
  const [endpoint] = service.endpoints;
  expect(endpoint).toMatchObject({ name: 'GreetEndpoint', restRoute: '/greet' });
  await expect(endpoint?.endpoint.handle(new Greet(), new AbortController().signal)).resolves.toBe('Good day, you');
});

it('registers the events of a library, and not its commands', async () => {
  class Greeted implements Event {}
  const greeted: MessageDescriptor = { ...message('shared.Greeted', Greeted), kind: 'event' };
  const library = { messages: [greeted, message('shared.Leave', Leave)] };
  const appending = () =>
    createService({ ...registry, receptors: [], endpoints: [] }, { greeting: '' }).addReceptor(Greet, {
      receive: (_command, context) => context.append(newId(), new Greeted()),
    });
  const unknown = { code: 'SVC_UNKNOWN_MESSAGE' };
  await expect(appending().start().dispatcher.invoke(new Greet())).rejects.toMatchObject(unknown);
  const service = appending().addEventsOf(library).start();
  await expect(service.dispatcher.invoke(new Greet())).resolves.toBeUndefined();
  await expect(service.dispatcher.invoke(new Leave())).rejects.toMatchObject(unknown);
});

it('does not compile if a service is missing', () => {
  // @ts-expect-error -- GreetReceptor needs `greeting`
  expect(createService(registry, {})).toBeDefined();
  // @ts-expect-error -- the services are required as soon as one of them is
  expect(createService(registry)).toBeDefined();
});

describe('a configuration error occurs at start, not at the first request', () => {
  it('names every command without a receptor', () => {
    const messages = [...registry.messages, message('test.Leave', Leave)];
    const service = createService({ ...registry, messages, receptors: [] }, { greeting: '' });
    expect(() => service.start()).toThrow(
      expect.objectContaining({
        code: 'SVC_COMMAND_WITHOUT_RECEPTOR',
        message: expect.stringContaining('Greet, Leave') as string,
      }),
    );
  });

  it('rejects two receptors for one command', () => {
    const service = createService(registry, { greeting: '' }).addReceptor(Greet, { receive: () => 'hi' }, 'Second');
    expect(() => service.start()).toThrow('Greet has two receptors, GreetReceptor and Second');
  });
});

it('accepts clocks that are at most 30 days ahead', () => {
  const days = (count: number): number => count * 24 * 60 * 60 * 1_000;
  expect(() => createService(registry, { greeting: '' }).acceptClocksAhead(days(30))).not.toThrow();
  for (const milliseconds of [0, -1, Number.NaN, days(30) + 1, Infinity]) {
    expect(() => createService(registry, { greeting: '' }).acceptClocksAhead(milliseconds)).toThrow(RangeError);
  }
});

it('accepts receptors, behaviors and storage that the generator did not find', async () => {
  const storage = new InMemoryStorage();
  const calls: string[] = [];
  const service = createService({ ...registry, receptors: [] }, { greeting: '' })
    .useStorage(storage)
    .addReceptor(Greet, { receive: (command) => `Hi, ${command.name}` }, 'Own')
    .addBehavior({
      handle(context, next) {
        calls.push(String(context.metadata.get('ReceptorName')));
        return next();
      },
    })
    .start();
  await expect(service.dispatcher.invoke(new Greet())).resolves.toBe('Hi, you');
  expect(calls).toEqual(['Own']);
  expect(await service.eventStore.lastPosition(newId())).toBe(-1);
});

it('cannot be changed after start, nor used before', () => {
  const service = createService(registry, { greeting: '' });
  expect(() => service.dispatcher).toThrow(expect.objectContaining({ code: 'SVC_SERVICE_NOT_STARTED' }));
  expect(() => service.endpoints).toThrow(expect.objectContaining({ code: 'SVC_SERVICE_NOT_STARTED' }));
  service.start();
  expect(service.start()).toBe(service);
  expect(() => service.useStorage(new InMemoryStorage())).toThrow(
    expect.objectContaining({ code: 'SVC_SERVICE_STARTED' }),
  );
});
