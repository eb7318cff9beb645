import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import type { MessageDescriptor } from '../../messages/index.js';
import { InProcessTransport, unprovenHosts, type Interest, type Transport } from '../../transport/index.js';
import { createService, type Service } from '../service.js';
import type { ServiceRegistry } from '../service-registry.js';

class Charge {}
class Unregistered {}
class Charged {}
class Happened {}

const described = { read: () => new Charge(), write: () => '{}' };
const messages: readonly MessageDescriptor[] = [
  { type: 'test.Charge', kind: 'command', class: Charge, ...described },
  { type: 'test.Charged', kind: 'event', class: Charged, ...described },
  { type: 'test.more.Happened', kind: 'event', class: Happened, ...described },
];
const registry: ServiceRegistry<object> = {
  messages,
  receptors: [{ name: 'ChargeReceptor', command: Charge, create: () => ({ receive: () => {} }) }],
  endpoints: [],
  openapi: { paths: {}, components: { schemas: {} } },
};

/** A transport that records subscriptions and proves the names of some hosts. */
class Noting implements Transport {
  readonly hostName = 'billing';
  readonly interests: Interest[] = [];
  readonly #provable: readonly string[];
  inboxes = 0;

  constructor(...provable: readonly string[]) {
    this.#provable = provable;
  }

  canProve(hostName: string): boolean {
    return this.#provable.includes(hostName);
  }

  publish = (): Promise<void> => Promise.resolve();

  subscribe(interest: Interest) {
    this.interests.push(interest);
    return Promise.resolve({ isUp: true, close: () => Promise.resolve() });
  }

  openInbox() {
    this.inboxes++;
    return Promise.resolve({ isUp: true, close: () => Promise.resolve() });
  }
}

const service = (transport: Transport | null = new Noting('orders')): Service =>
  transport === null ? createService(registry) : createService(registry).useTransport(transport);
const secret = randomBytes(32);
const code = (name: string) => expect.objectContaining({ code: name }) as Error;

it('subscribes to nothing without a declaration, nor with one that names no host', async () => {
  const transport = new Noting();
  const started = service(transport)
    .acceptEvents({ from: [], namespaces: ['test'] })
    .acceptCommands({ from: [], commands: [Charge] })
    .start();
  await started.ready();
  expect([transport.interests, transport.inboxes]).toEqual([[], 0]);
  await started.stop();
});

it('subscribes to the accepted namespaces, and ends subscriptions to other known ones', async () => {
  const transport = new Noting('orders');
  const started = service(transport)
    .acceptEvents({ from: 'orders', namespaces: ['test'] })
    .start();
  await started.ready();
  expect(transport.interests).toEqual([
    {
      name: 'events',
      topics: [{ topic: 'test', types: ['test.Charged'] }],
      unwanted: [{ topic: 'test.more', types: ['test.more.Happened'] }],
    },
  ]);
  expect(transport.inboxes, 'no commands are accepted').toBe(0);
  await started.stop();
});

it('reports how many unproven messages it received, if those are accepted', async () => {
  const transport = new InProcessTransport();
  const started = service(transport.host('billing'))
    .acceptEvents({ from: unprovenHosts, namespaces: ['test'] })
    .start();
  await started.ready();
  const data = async () => (await started.health.run(({ name }) => name === 'subscriptions')).entries[0]!.data;
  expect(await data()).toEqual({ subscriptions: 1, down: 0, unproven: 0 });
  await started.stop();
});

it.each<[string, string, () => Service]>([
  [
    'a namespace that the registry does not know',
    'SVC_UNKNOWN_NAMESPACE',
    () => service().acceptEvents({ from: 'orders', namespaces: ['test', 'tests'] }),
  ],
  [
    'a namespace that is only part of one',
    'SVC_UNKNOWN_NAMESPACE',
    () => service().acceptEvents({ from: 'orders', namespaces: ['test.mor'] }),
  ],
  [
    'system events that stay local',
    'SVC_UNKNOWN_NAMESPACE',
    () =>
      service()
        .addSystemEvents()
        .acceptEvents({ from: 'orders', namespaces: ['svc'] }),
  ],
  [
    'a command that is not registered',
    'SVC_COMMAND_WITHOUT_RECEPTOR',
    () => service().acceptCommands({ from: 'orders', commands: [Unregistered] }),
  ],
  [
    'events without a transport',
    'SVC_TRANSPORT_MISSING',
    () => service(null).acceptEvents({ from: unprovenHosts, namespaces: ['test'] }),
  ],
  ['signatures without a transport', 'SVC_TRANSPORT_MISSING', () => service(null).signMessages({ id: 'k', secret })],
  [
    'signatures of a host without a name',
    'SVC_TRANSPORT_MISSING',
    () => service(new InProcessTransport()).signMessages({ id: 'k', secret }),
  ],
  [
    'events of a host without proof of origin',
    'SVC_ORIGIN_UNPROVABLE',
    () => service().acceptEvents({ from: ['orders', 'shipping'], namespaces: ['test'] }),
  ],
  [
    'commands of a host without proof of origin',
    'SVC_ORIGIN_UNPROVABLE',
    () => service().acceptCommands({ from: 'shipping', commands: [Charge] }),
  ],
  [
    'its own commands without proof of origin',
    'SVC_ORIGIN_UNPROVABLE',
    () => service().acceptCommands({ from: 'billing', commands: [Charge] }),
  ],
])('does not start if it accepts %s', (_, expected, make) => {
  expect(() => make().start()).toThrow(code(expected));
});

it('starts if a transport or keys can prove the accepted hosts', async () => {
  const broadcasting = service()
    .addSystemEvents((options) => options.broadcast())
    .acceptEvents({ from: ['orders', 'billing'], namespaces: ['test', 'test.more', 'svc'] })
    .acceptEvents({ from: 'shipping', namespaces: ['test'] })
    .acceptCommands({ from: ['shipping', unprovenHosts], commands: [Charge] })
    .verifyMessages({ from: 'shipping', keys: [{ id: 'k', secret }] })
    .start();
  await expect(broadcasting.ready()).resolves.toBeUndefined();
  await broadcasting.stop();
});

it.each<[string, string, (made: Service) => unknown]>([
  ['a host without a name', 'SVC_INVALID_HOST_NAME', (made) => made.acceptEvents({ from: '', namespaces: ['test'] })],
  ['an invalid name', 'SVC_INVALID_HOST_NAME', (made) => made.acceptCommands({ from: ['*'], commands: [Charge] })],
  ['keys of an invalid name', 'SVC_INVALID_HOST_NAME', (made) => made.verifyMessages({ from: 'a b', keys: [] })],
  ['no keys', 'SVC_INVALID_MESSAGE_KEY', (made) => made.verifyMessages({ from: 'orders', keys: [] })],
  ['a short secret', 'SVC_INVALID_MESSAGE_KEY', (made) => made.signMessages({ id: 'k', secret: 'short' })],
  [
    'two keys of one id',
    'SVC_INVALID_MESSAGE_KEY',
    (made) =>
      made.verifyMessages({
        from: 'orders',
        keys: [
          { id: 'k', secret },
          { id: 'k', secret: randomBytes(32) },
        ],
      }),
  ],
  [
    'a private key of another host',
    'SVC_INVALID_MESSAGE_KEY',
    (made) =>
      made.verifyMessages({
        from: 'orders',
        keys: [{ id: 'k', publicKey: generateKeyPairSync('ed25519').privateKey }],
      }),
  ],
])('rejects at once the registration of %s', (_, expected, register) => {
  expect(() => register(service())).toThrow(code(expected));
});

it('cannot be changed after it has started', async () => {
  const started = service().start();
  const calls: (() => unknown)[] = [
    () => started.acceptEvents({ from: 'orders', namespaces: ['test'] }),
    () => started.acceptCommands({ from: 'orders', commands: [Charge] }),
    () => started.signMessages({ id: 'k', secret }),
    () => started.verifyMessages({ from: 'orders', keys: [] }),
  ];
  for (const call of calls) expect(call).toThrow(code('SVC_SERVICE_STARTED'));
  await started.stop();
});
