import { expect, it, vi } from 'vitest';
import { HealthStatus } from '../../health/index.js';
import type { MessageDescriptor } from '../../messages/index.js';
import { InProcessTransport, unprovenHosts, type Transport } from '../../transport/index.js';
import { createService } from '../service.js';
import type { RunningService } from './running-service.js';
import type { ServiceRegistry } from '../service-registry.js';

class Charge {}
class Charged {}

const described = { read: () => new Charge(), write: () => '{}' };
const command: MessageDescriptor = { type: 'test.Charge', kind: 'command', class: Charge, ...described };
const event: MessageDescriptor = { type: 'test.Charged', kind: 'event', class: Charged, ...described };

const registryWith = (...messages: readonly MessageDescriptor[]): ServiceRegistry<object> => ({
  messages,
  receptors: [{ name: 'ChargeReceptor', command: Charge, create: () => ({ receive: () => {} }) }],
  endpoints: [],
  openapi: { paths: {}, components: { schemas: {} } },
});

async function subscriptionsOf(service: Pick<RunningService, 'health'>) {
  const { status, entries } = await service.health.run(({ name }) => name === 'subscriptions');
  return { status, data: entries[0]?.data };
}

it('is healthy without subscriptions if it needs none', async () => {
  const transport = new InProcessTransport().host('gate');
  const service = createService(registryWith(command)).useTransport(transport).start();
  await service.ready();
  expect(await subscriptionsOf(service)).toEqual({
    status: HealthStatus.Healthy,
    data: { subscriptions: 0, down: 0 },
  });
  await service.stop();
});

it.each([
  ['inbox', HealthStatus.Degraded, 1],
  ['events', HealthStatus.Unhealthy, 2],
])('reports that subscriptions are down if its %s cannot be opened', async (what, status, down) => {
  const inner = new InProcessTransport().host('billing');
  const failing = () => Promise.reject(new Error('the queue has other settings'));
  const transport: Transport = {
    hostName: 'billing',
    canProve: () => true,
    publish: (messages) => inner.publish(messages),
    subscribe: what === 'events' ? failing : (...parameters) => inner.subscribe(...parameters),
    openInbox: what === 'inbox' ? failing : (receive) => inner.openInbox!(receive),
  };
  const reports: unknown[] = [];
  const service = createService(registryWith(command, event))
    .useTransport(transport)
    .acceptEvents({ from: 'gate', namespaces: ['test'] })
    .acceptCommands({ from: 'gate', commands: [Charge] })
    .reportTo((error) => reports.push(error))
    .start();
  await expect(service.ready()).rejects.toThrow('other settings');
  expect(reports).toHaveLength(1);
  expect(await subscriptionsOf(service)).toEqual({ status, data: { subscriptions: 2, down } });
  await service.stop();
});

it('writes failures to the console by default, without their properties', async () => {
  const written = vi.spyOn(console, 'error').mockImplementation(() => {});
  const inner = new InProcessTransport().host('gate');
  const failure = Object.assign(new Error('refused, password=hunter2'), { config: { password: 'hunter2' } });
  const transport: Transport = {
    publish: (messages) => inner.publish(messages),
    subscribe: () => Promise.reject(failure),
  };
  const service = createService(registryWith(command, event))
    .useTransport(transport)
    .acceptEvents({ from: unprovenHosts, namespaces: ['test'] })
    .start();
  await expect(service.ready()).rejects.toBe(failure);
  expect(written.mock.calls).toEqual([[expect.stringMatching(/^Error: refused, password=\*\*\*\n/)]]);
  expect(written.mock.calls[0]?.[0]).not.toContain('hunter2');
  written.mockRestore();
  await service.stop();
});
