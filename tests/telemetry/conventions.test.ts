/** Attributes of the semantic conventions that depend on the database, the broker and the HTTP server, with the real ones. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { SpanKind } from '@opentelemetry/api';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import type { Service } from '@svc/core';
import type { Transport } from '@svc/core/transport';
import { openTelemetry } from '@svc/telemetry';
import { prometheus } from '@svc/telemetry/prometheus';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createHost } from '../../examples/orders/src/host.js';
import { useDatabases } from '../migrations/databases.js';
import { brokerUrl, TestBroker } from '../rabbitmq/test-broker.js';
import { DoubleBroker } from '../servicebus/double-broker.js';
import { collect, shopEvents } from '../system-events/shop.js';
import { Sdk } from './sdk.js';
import { placeOrder, shopWithEndpoint } from './watched-shop.js';

const databases = useDatabases();
const sdk = Sdk.register();
beforeEach(() => sdk.forget());
afterAll(() => sdk.stop());

async function started(service: Service): Promise<Service> {
  onTestFinished(() => service.stop());
  await service.useTelemetry(openTelemetry()).start().ready();
  return service;
}

describe('db.system.name', () => {
  it.each([
    ['postgres', 'postgresql'],
    ['sqlite', 'sqlite'],
  ])('of %s is %s', async (kind, system) => {
    const database = await databases[kind]!();
    onTestFinished(() => database.remove());
    const service = await started(shopWithEndpoint(undefined, database.storage()));
    await placeOrder(service);
    await service.idle();
    for (const name of ['svc.append', 'svc.apply']) {
      const spans = sdk.spans(name);
      expect(spans.length).toBeGreaterThan(0);
      for (const { attributes } of spans) expect(attributes['db.system.name']).toBe(system);
    }
  });

  it('is absent without a database', async () => {
    const service = await started(shopWithEndpoint());
    await placeOrder(service);
    expect(sdk.spans('svc.append')[0]?.attributes).not.toHaveProperty('db.system.name');
  });
});

/** Sends an event from one host to another. The broker delivers it to both. */
async function exchange(a: Transport, b: Transport): Promise<void> {
  const [sender, receiver] = await Promise.all(
    [a, b].map((transport) => started(shopWithEndpoint().useTransport(transport).acceptEvents(shopEvents))),
  );
  await placeOrder(sender!);
  await expect.poll(() => collect(receiver!.eventStore.readAll())).toHaveLength(1);
  await expect.poll(() => sdk.spans('svc.receive').length).toBe(1);
  await sender!.idle();
}

const systems = (): unknown[] =>
  ['svc.publish', 'svc.receive'].map((name) => sdk.spans(name)[0]?.attributes['messaging.system']);

describe('messaging.system', () => {
  it('of RabbitMQ is rabbitmq, and messages that a host receives from itself are not counted', async () => {
    const broker = new TestBroker(await brokerUrl());
    await exchange(broker.transport('a'), broker.transport('b'));
    expect(systems()).toEqual(['rabbitmq', 'rabbitmq']);
    // The queue of the sender has its own message as well; once it is empty, the message was received.
    const left = (): Promise<number> =>
      broker.withChannel(async (channel) => (await channel.checkQueue(`${broker.prefix}a.events`)).messageCount);
    await expect.poll(left).toBe(0);
    expect(sdk.spans('svc.receive')).toHaveLength(1);
    expect(await sdk.measured('svc.messages.received')).toEqual([
      { attributes: { 'messaging.destination.name': 'shop', 'svc.outcome': 'ok' }, value: 1 },
    ]);
  });

  it('of the Azure Service Bus is servicebus', async () => {
    const broker = await DoubleBroker.start();
    onTestFinished(() => broker.stop());
    await exchange(await broker.open('a'), await broker.open('b'));
    expect(systems()).toEqual(['servicebus', 'servicebus']);
  });
});

it('the tracer and the meter have the name and the version of the package', async () => {
  const service = await started(shopWithEndpoint());
  await placeOrder(service);
  const manifest = readFileSync(new URL('../../packages/telemetry/package.json', import.meta.url), 'utf8');
  const { name, version } = JSON.parse(manifest) as Record<string, string>;
  expect(sdk.spans('svc.dispatch')[0]?.instrumentationScope).toMatchObject({ name, version });
  expect(await sdk.meterOf('svc.command.duration')).toMatchObject({ name, version });
});

describe('http.route', () => {
  const instrumentation = new HttpInstrumentation();
  instrumentation.setTracerProvider(sdk.tracerProvider);
  instrumentation.setMeterProvider(sdk.meterProvider);
  // It patches the module when it is required.
  createRequire(import.meta.url)('node:http');
  afterAll(() => instrumentation.disable());

  let host: Awaited<ReturnType<typeof createHost>>;
  let url: string;
  beforeAll(async () => {
    host = await createHost({}, { prometheus: prometheus({ processMetrics: false }) });
    url = await host.app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => host.app.close());

  it.each([
    ['a command', 'POST', '/orders', '/orders', '{}'],
    ['a query', 'GET', '/orders/17', '/orders/:id', null],
    ['GraphQL', 'POST', '/graphql', '/graphql', '{"query":"{ __typename }"}'],
    ['a probe', 'GET', '/health/live', '/health/live', null],
    ['a scrape', 'GET', '/metrics', '/metrics', null],
    ['an unknown path', 'GET', '/unknown/17', undefined, null],
  ])('of %s is in the span and the metric of the HTTP instrumentation', async (_name, method, path, route, body) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(url + path, { method, ...(body !== null && { headers, body }) });
    await response.text();
    const server = (): ReturnType<Sdk['spans']> =>
      sdk.spans().filter(({ kind, attributes }) => kind === SpanKind.SERVER && attributes['url.path'] === path);
    await expect.poll(() => server().length).toBe(1);
    expect(server()[0]?.attributes['http.route']).toBe(route);
    expect(server()[0]?.name).toBe(route === undefined ? method : `${method} ${route}`);
    const durations = await sdk.measured('http.server.request.duration');
    expect(durations.map(({ attributes }) => attributes['http.route'])).toContain(route);
  });
});
