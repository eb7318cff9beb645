/** The check `cloud_servicebus`: each of its states is caused on the test double. */
import { HealthStatus, type Service } from '@svc/core';
import type { HealthEntry } from '@svc/core/hosting';
import { eventually, numbered } from '@svc/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shop, shopEvents } from '../system-events/shop.js';
import { DoubleBroker, type OpenTransport } from './double-broker.js';

const interest = { name: 'events', topics: [{ topic: 'test', types: ['test.Happened'] }] };

let broker: DoubleBroker;
let transport: OpenTransport;

beforeEach(async () => {
  broker = await DoubleBroker.start();
  transport = await broker.open('host', { timeoutMs: 1_000 });
});
afterEach(() => broker.stop());

const status = async (): Promise<string> => (await transport.connectivity!.check()).status;
const subscribe = () => transport.subscribe(interest, () => Promise.resolve([]));

describe('cloud_servicebus', () => {
  it('is Degraded before the first message, and opens no connection', async () => {
    expect(await transport.connectivity!.check()).toMatchObject({ status: 'Degraded' });
    expect(broker.bus.connectionsOpened).toBe(0);
  });

  it('is Healthy over the existing connection, which stays the only one', async () => {
    await subscribe();
    for (let i = 0; i < 3; i++) expect(await transport.connectivity!.check()).toEqual({ status: 'Healthy' });
    expect(broker.bus.connectionsOpened).toBe(1);
  });

  it('is Degraded while the Service Bus throttles', async () => {
    await transport.publish(numbered(1));
    broker.bus.faults.throttles = true;
    expect(await status()).toBe('Degraded');
    broker.bus.faults.throttles = false;
    expect(await status()).toBe('Healthy');
  });

  it('is Unhealthy while the Service Bus is unreachable, and Healthy once it is back', async () => {
    await subscribe();
    await broker.bus.goAway();
    await eventually(async () => (await status()) === 'Unhealthy', 'Unhealthy');
    await broker.bus.listen();
    await eventually(async () => (await status()) === 'Healthy', 'Healthy');
    expect(await transport.connectivity!.check()).toEqual({ status: 'Healthy' });
  });

  it('is Unhealthy while tokens are rejected', async () => {
    await transport.publish(numbered(1));
    broker.bus.faults.rejectsTokens = true;
    expect(await status()).toBe('Unhealthy');
  });

  it('is Unhealthy within its limit while nothing is answered', async () => {
    await transport.publish(numbered(1));
    broker.bus.faults.hangs = true;
    const started = performance.now();
    expect(await status()).toBe('Unhealthy');
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it('is Unhealthy once the transport is closed', async () => {
    await subscribe();
    await transport.close();
    expect(await status()).toBe('Unhealthy');
  });
});

describe('a service on the Service Bus', () => {
  const entry = async (service: Service, name: string): Promise<HealthEntry> =>
    (await service.health.run()).entries.find((found) => found.name === name)!;

  it('has the check and subscriptions by default; neither names the namespace', async () => {
    const service = shop().useTransport(transport).acceptEvents(shopEvents).start();
    await service.ready();
    expect(await entry(service, 'cloud_servicebus')).toMatchObject({ status: HealthStatus.Healthy, tags: [] });
    expect(await entry(service, 'subscriptions')).toMatchObject({ status: HealthStatus.Healthy });
    await broker.bus.goAway();
    for (const name of ['subscriptions', 'cloud_servicebus']) {
      await eventually(async () => (await entry(service, name)).status === HealthStatus.Unhealthy, `${name} down`);
    }
    const report = await service.health.run();
    expect(JSON.stringify(report)).not.toMatch(/127\.0\.0\.1|SharedAccess|svc\.events/);
    await broker.bus.listen();
    await eventually(async () => (await service.health.run()).status === 'Healthy', 'healthy again');
    await service.stop();
  });
});
