/** `amqp_broker` and `subscriptions` in each of their states, as a probe sees them. */
import { createService, InMemoryStorage, type Service } from '@svc/core';
import { InProcessTransport } from '@svc/core/transport';
import { health } from '@svc/fastify';
import Fastify from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { shopRegistry } from '../system-events/shop.js';
import { TcpProxy } from '../../tools/torture/tcp-proxy.mjs';
import { brokerUrl, TestBroker } from './test-broker.js';

let broker: TestBroker;
let proxy: TcpProxy;
let service: Service;

beforeEach(async () => {
  broker = new TestBroker(await brokerUrl());
  proxy = await TcpProxy.to(Number(new URL(broker.url).port));
  service = createService(shopRegistry())
    .useStorage(new InMemoryStorage())
    .useTransport(broker.transport('shop', { url: proxy.through(broker.url) }))
    .acceptEvents({ from: 'other', namespaces: ['shop', 'svc'] })
    .addSystemEvents((options) => options.broadcast())
    .reportTo((error) => broker.reports.push(error));
});
afterEach(async () => {
  await service.stop();
  await broker.close();
  await proxy.close();
});

interface Answer {
  readonly statusCode: number;
  readonly status: string;
  readonly checks: Readonly<
    Record<string, readonly { status: string; output?: string; tags: string[]; data?: object }[]>
  >;
}

async function serve(): Promise<() => Promise<Answer>> {
  const app = Fastify();
  await app.register(health(service));
  await service.ready();
  return async () => {
    const { statusCode, body } = await app.inject('/health/ready');
    return { statusCode, ...(JSON.parse(body) as Omit<Answer, 'statusCode'>) };
  };
}

/** The results of the two checks for a probe: status, description and figures. */
const summaryOf = ({ statusCode, status, checks }: Answer): unknown => ({
  statusCode,
  status,
  ...Object.fromEntries(
    ['amqp_broker', 'subscriptions'].map((name) => {
      const { status: word, output, data } = checks[name]![0]!;
      return [name, [word, output, data]];
    }),
  ),
});

async function expectReport(probe: () => Promise<Answer>, expected: unknown): Promise<void> {
  await expect.poll(async () => summaryOf(await probe()), { timeout: 15_000, interval: 100 }).toEqual(expected);
}

const healthy = {
  statusCode: 200,
  status: 'pass',
  amqp_broker: ['pass', undefined, undefined],
  subscriptions: ['pass', undefined, { subscriptions: 2, down: 0 }],
};

it('are healthy while the broker is reachable, unhealthy while it is not, and healthy again', async () => {
  service.addAmqpBrokerHealthChecks();
  const probe = await serve();
  const answer = await probe();
  expect(summaryOf(answer)).toEqual(healthy);
  expect(answer.checks['subscriptions']![0]!.tags).toEqual(['transport', 'subscriptions']);
  expect(answer.checks['amqp_broker']![0]!.tags).toEqual([]);
  proxy.takeDown();
  await expectReport(probe, {
    statusCode: 503,
    status: 'fail',
    amqp_broker: ['fail', 'The broker is unreachable.', undefined],
    subscriptions: ['fail', 'No subscription is up.', { subscriptions: 2, down: 2 }],
  });
  proxy.bringUp();
  await expectReport(probe, healthy);
});

it('subscriptions is degraded while one queue cannot be used, and the host stays ready', async () => {
  service.addAmqpBrokerHealthChecks();
  const probe = await serve();
  const queue = `${broker.prefix}shop.system-events`;
  const replaceQueue = (): Promise<void> =>
    broker.withChannel(async (channel) => {
      await channel.deleteQueue(queue);
      await channel.assertQueue(queue, { durable: true });
    });
  // The host declares the queue again as soon as it is gone, and may be faster.
  await expect.poll(() => replaceQueue().then(() => 'replaced'), { timeout: 10_000 }).toBe('replaced');
  await expectReport(probe, {
    ...healthy,
    status: 'warn',
    subscriptions: ['warn', 'Some subscriptions are down.', { subscriptions: 2, down: 1 }],
  });
  const misconfigured = expect.objectContaining({ code: 'SVC_TRANSPORT_MISCONFIGURED' }) as unknown;
  await expect.poll(() => broker.reports).toContainEqual(misconfigured);
  await broker.withChannel((channel) => channel.deleteQueue(queue));
  await expectReport(probe, healthy);
});

it('open no connection, however often they run', async () => {
  service.addAmqpBrokerHealthChecks();
  const probe = await serve();
  expect(proxy.connections).toBe(2);
  for (let i = 0; i < 1_000; i++) expect((await probe()).statusCode).toBe(200);
  proxy.takeDown();
  for (let i = 0; i < 1_000; i++) await probe();
  expect(proxy.connections).toBe(2);
});

it('amqp_broker runs only if it was added', async () => {
  const probe = await serve();
  expect(Object.keys((await probe()).checks)).toEqual(['self', 'drain', 'svc_schedule', 'subscriptions']);
});

it('amqp_broker cannot be added to a service without such a broker', () => {
  const without = createService(shopRegistry()).addAmqpBrokerHealthChecks();
  expect(() => without.start()).toThrow(expect.objectContaining({ code: 'SVC_AMQP_BROKER_MISSING' }) as Error);
  without.useTransport(new InProcessTransport());
  expect(() => without.start()).toThrow(/no AMQP broker is used/);
});
