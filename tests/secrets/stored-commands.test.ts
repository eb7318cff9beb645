/** Commands with secrets that would be stored to wait for their execution, and errors in records. */
import {
  createService,
  InMemoryStorage,
  MessageDeadLettered,
  newId,
  ReceptorFailed,
  type ReceptorContext,
  type Service,
  type ServiceRegistry,
  type Uuid,
} from '@svc/core';
import { InProcessTransport } from '@svc/core/transport';
import { readOrThrow, secretText, writeString } from '@svc/core/json';
import { collect, type MessageDescriptor } from '@svc/core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { chargeMessage, ManualTransport } from '../inbox/hosts.js';
import { records } from '../system-events/shop.js';

class ChargeCard {
  orderId: Uuid = newId();
  token = '';
}
class StartCheckout {
  token = 'tok_4242';
}

const secretive: MessageDescriptor<ChargeCard> = {
  type: 'billing.ChargeCard',
  kind: 'command',
  class: ChargeCard,
  hasSecrets: true,
  read: (value, issues) => {
    const { orderId, token } = value as Partial<ChargeCard>;
    if (typeof token !== 'string') issues.expected('token', token, 'a string');
    return Object.assign(new ChargeCard(), { orderId, token });
  },
  write: ({ orderId, token }) => `{"orderId":${writeString(orderId)},"token":"${secretText(token)}"}`,
};
const starting: MessageDescriptor<StartCheckout> = {
  type: 'billing.StartCheckout',
  kind: 'command',
  class: StartCheckout,
  read: () => new StartCheckout(),
  write: () => '{}',
};

type Receive<T> = (command: T, context: ReceptorContext) => unknown;

interface Shop {
  readonly charge?: Receive<ChargeCard>;
  readonly start?: Receive<StartCheckout>;
  readonly configure?: (service: Service) => unknown;
}

async function shop({ charge = () => {}, start = () => {}, configure = () => {} }: Shop): Promise<Service> {
  const registry: ServiceRegistry<object> = {
    messages: [secretive, starting],
    receptors: [
      { name: 'ChargeCardReceptor', command: ChargeCard, create: () => ({ receive: charge }) },
      { name: 'StartCheckoutReceptor', command: StartCheckout, create: () => ({ receive: start }) },
    ],
    endpoints: [],
    openapi: { paths: {}, components: { schemas: {} } },
  };
  const service = createService(registry)
    .addService()
    .useStorage(new InMemoryStorage())
    .addSystemEventAuditing((options) => options.enableAll())
    .reportTo(() => {});
  configure(service);
  service.start();
  onTestFinished(() => service.stop());
  await service.ready();
  return service;
}

const card = (token: string): ChargeCard => Object.assign(new ChargeCard(), { token });
const everything = async (service: Service): Promise<string> => {
  await service.idle();
  const events = await collect(service.eventStore.readAll());
  return JSON.stringify([events, await service.deadLetters.list()]);
};

describe('a command with a secret', () => {
  it.each<[string, Receive<StartCheckout>]>([
    ['sent to this service', ({ token }, context) => context.send(card(token))],
    ['sent to another host', ({ token }, context) => context.send(card(token), { to: 'billing' })],
    ['scheduled', ({ token }, context) => context.schedule(card(token), { after: { minutes: 1 } })],
  ])('cannot be %s', async (_name, start) => {
    const configure = (service: Service): unknown => service.useTransport(new InProcessTransport().host('billing'));
    const service = await shop({ start, configure });
    await expect(service.dispatcher.invoke(new StartCheckout())).rejects.toMatchObject({
      code: 'SVC_SECRET_IN_STORED_COMMAND',
      message: expect.stringMatching(/^Cannot send.* billing\.ChargeCard: it has a Secret.* Call invoke/) as string,
    });
    expect(await everything(service)).not.toContain('tok_4242');
  });

  it('can be invoked by another command, whose error does not contain the secret either', async () => {
    const service = await shop({
      start: async ({ token }, context) => {
        await context.invoke(card(token));
      },
      charge: ({ token }) => {
        throw new Error(`The bank rejects ${token}.`);
      },
    });
    await expect(service.dispatcher.invoke(new StartCheckout())).rejects.toThrow('The bank rejects [secret].');
    expect(await everything(service)).not.toContain('tok_4242');
  });

  it('cannot be accepted from other hosts', async () => {
    const configure = (service: Service): unknown =>
      service.useTransport(new ManualTransport()).acceptCommands({ from: ['orders'], commands: [ChargeCard] });
    await expect(shop({ configure })).rejects.toMatchObject({ code: 'SVC_SECRET_IN_STORED_COMMAND' });
  });

  it.each([
    ['a valid body', JSON.stringify({ orderId: newId(), token: 'tok_4242' })],
    ['an invalid body', JSON.stringify({ token: ['tok_4242'] })],
    ['no JSON', 'tok_4242'],
  ])('that another host sends all the same, with %s, is stored without the secret', async (_name, body) => {
    const transport = new ManualTransport();
    const configure = (service: Service): unknown =>
      service.useTransport(transport).acceptCommands({ from: ['orders'], commands: [StartCheckout] });
    const service = await shop({ configure });
    await transport.receive(chargeMessage({ body }));
    expect(await service.deadLetters.list()).toMatchObject([{ message: { type: 'billing.ChargeCard' } }]);
    expect(await records(service, MessageDeadLettered)).toHaveLength(1);
    expect(await everything(service)).not.toContain('tok_4242');
  });

  it('loses its secret in errors even if the receptor removes it from the command', async () => {
    const service = await shop({
      charge: (command) => {
        const { token } = command;
        command.token = '';
        throw new Error(`The bank rejects ${token}.`);
      },
    });
    await expect(service.dispatcher.invoke(card('tok_4242'))).rejects.toThrow('The bank rejects [secret].');
  });
});

it('records the error of a command without credentials', async () => {
  const service = await shop({
    start: () => {
      throw new Error('connect amqp://app:hunter2hunter2@broker failed, Authorization: Bearer abc.def.ghi');
    },
  });
  await expect(service.dispatcher.invoke(new StartCheckout())).rejects.toThrow('hunter2');
  expect(await records(service, ReceptorFailed)).toMatchObject([
    { errorMessage: 'connect amqp://***@broker failed, Authorization: Bearer ***' },
  ]);
});

it('reads a command with a secret from JSON', () => {
  expect(readOrThrow(secretive.read, { orderId: newId(), token: 'tok' }).token).toBe('tok');
});
