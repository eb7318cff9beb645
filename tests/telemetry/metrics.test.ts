/** The same measurements for OpenTelemetry, with a real SDK, and for Prometheus, in its text format. */
import { InMemoryStorage, newId, UnauthenticatedError, type ReceptorContext, type Service } from '@svc/core';
import { InProcessTransport, type Transport } from '@svc/core/transport';
import { openTelemetry } from '@svc/telemetry';
import { prometheus } from '@svc/telemetry/prometheus';
import { generateKeyPairSync } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { reactionOf, shopWith } from '../reactions/reaction-shop.js';
import { OrderPlaced, PlaceOrder, shopEvents, type Receive } from '../system-events/shop.js';
import { samplesIn } from './samples.js';
import { Sdk } from './sdk.js';
import { placeOrder, shopWithEndpoint } from './watched-shop.js';

let sdk: Sdk;
let gathered: ReturnType<typeof prometheus>;
const started: Service[] = [];

beforeEach(() => {
  sdk = Sdk.register();
  gathered = prometheus({ processMetrics: false });
});
afterEach(async () => {
  for (const service of started.splice(0)) await service.stop();
  await sdk.stop();
});

function shop(handle?: Receive, transport?: Transport): Service {
  const service = shopWithEndpoint(handle).reportTo(() => {});
  if (transport !== undefined) {
    service.useTransport(transport).acceptEvents(shopEvents);
  }
  started.push(service.useTelemetry(openTelemetry({ metrics: [gathered] })).start());
  return service;
}

/** A metric in both: counters by value, histograms by their number of values. */
async function measured(name: string, prometheusName: string): Promise<Record<string, number>> {
  const counts = Object.fromEntries(
    (await sdk.measured(name)).map(({ attributes, value }) => [
      Object.values(attributes).join(' '),
      typeof value === 'number' ? value : value.count,
    ]),
  );
  expect(samplesIn(await gathered.read(), prometheusName)).toEqual(counts);
  return counts;
}

const conflicting = (_command: object, context: ReceptorContext): void =>
  context.append(newId(), new OrderPlaced(), { expectedPosition: 5 });

it('the duration of commands, by type and outcome', async () => {
  const service = shop((command) => {
    const { note } = command as PlaceOrder;
    if (note === 'fail') throw new Error('no');
    return new Promise((resolve) => setTimeout(resolve, 20));
  });
  await placeOrder(service);
  await placeOrder(service);
  await expect(placeOrder(service, 'fail')).rejects.toThrow('no');
  expect(await measured('svc.command.duration', 'svc_command_duration_seconds_count')).toEqual({
    'shop.PlaceOrder ok': 2,
    'shop.PlaceOrder failed': 1,
  });
  const [ok] = await sdk.measured('svc.command.duration');
  const { sum } = ok!.value as { sum: number };
  expect(sum).toBeGreaterThan(0.035);
  expect(sum).toBeLessThan(5);
});

it('appended events by type, and the duration of commits', async () => {
  const service = shop((_command, context) => {
    context.append(newId(), new OrderPlaced());
    context.append(newId(), new OrderPlaced());
  });
  await placeOrder(service);
  expect(await measured('svc.events.appended', 'svc_events_appended_total')).toEqual({ 'shop.OrderPlaced': 2 });
  expect(await measured('svc.append.duration', 'svc_append_duration_seconds_count')).toEqual({ ok: 1 });
});

it('events that a database appends to the system stream, and nothing without any', async () => {
  const found = [new Map(), new Map([['svc.EventAudited', 3]])];
  class Delivering extends InMemoryStorage {
    readonly systemDelivery = {
      isAtOnce: false,
      deliver: () => Promise.resolve(found.shift() ?? new Map<string, number>()),
    };
  }
  const service = shopWithEndpoint(undefined, new Delivering())
    .addSystemEvents((options) => options.enableEventAudit())
    .useTelemetry(openTelemetry({ metrics: [gathered] }))
    .start();
  started.push(service);
  await service.idle();
  await placeOrder(service);
  await service.idle();
  expect(found).toEqual([]);
  expect(await measured('svc.events.appended', 'svc_events_appended_total')).toEqual({
    'shop.OrderPlaced': 1,
    'svc.EventAudited': 3,
  });
  const [delivery, ...others] = sdk
    .spans('svc.append')
    .filter(({ attributes }) => attributes['svc.append.delivered'] !== 0);
  expect(others).toEqual([]);
  expect(delivery?.attributes).toMatchObject({
    'svc.append.delivered': 3,
    'svc.append.events': 3,
    'svc.outcome': 'ok',
  });
});

it('conflicts, and no appended events for them', async () => {
  const service = shop(conflicting);
  expect(samplesIn(await gathered.read(), 'svc_append_conflicts_total')).toEqual({ '': 0 });
  await expect(placeOrder(service)).rejects.toMatchObject({ code: 'SVC_CONCURRENCY_CONFLICT' });
  expect(await measured('svc.append.conflicts', 'svc_append_conflicts_total')).toEqual({ '': 1 });
  expect(await measured('svc.events.appended', 'svc_events_appended_total')).toEqual({});
  expect(await measured('svc.append.duration', 'svc_append_duration_seconds_count')).toEqual({ conflict: 1 });
});

it('rejected credentials by scheme', async () => {
  const service = shopWithEndpoint().addAuthentication({
    scheme: 'Bearer',
    credentialIn: () => 'bad',
    authenticate: () => Promise.reject(new UnauthenticatedError('No.', { scheme: 'Bearer' })),
  });
  started.push(service.useTelemetry(openTelemetry({ metrics: [gathered] })).start());
  for (let i = 0; i < 3; i++) await expect(service.access.establish(() => undefined)).rejects.toThrow('No.');
  const failures = await measured('svc.authentication.failures', 'svc_authentication_failures_total');
  expect(failures).toEqual({ Bearer: 3 });
});

it('published and received messages by topic, not those that a host receives from itself', async () => {
  const transport = new InProcessTransport();
  const service = shop(undefined, transport);
  await service.ready();
  await shop(undefined, transport).ready();
  await placeOrder(service);
  await placeOrder(service);
  await service.idle();
  await transport.idle();
  expect(await measured('svc.outbox.published', 'svc_outbox_published_total')).toEqual({ 'shop ok': 2 });
  expect(await measured('svc.messages.received', 'svc_messages_received_total')).toEqual({ 'shop ok': 2 });
});

it('messages whose publishing failed and is retried', async () => {
  let isAway = true;
  const transport: Transport = {
    publish: () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve()),
    subscribe: () => Promise.resolve({ isUp: true, close: () => Promise.resolve() }),
  };
  const service = shop(undefined, transport);
  await placeOrder(service);
  await expect.poll(async () => (await sdk.measured('svc.outbox.published')).length).toBe(1);
  isAway = false;
  await service.idle();
  expect(await measured('svc.outbox.published', 'svc_outbox_published_total')).toMatchObject({ 'shop ok': 1 });
  const counts = await measured('svc.outbox.published', 'svc_outbox_published_total');
  expect(counts['shop failed']).toBeGreaterThan(0);
});

it('dead-lettered messages, and messages of unknown topics, whose names are unbounded', async () => {
  const transport = new InProcessTransport();
  let handOver: Parameters<Transport['subscribe']>[1] | undefined;
  const tapped: Transport = {
    publish: (messages) => transport.publish(messages),
    subscribe(interest, receive) {
      handOver = receive;
      return transport.subscribe(interest, receive);
    },
  };
  await shop(undefined, tapped).ready();
  const message = {
    type: 'shop.OrderPlaced',
    streamId: newId(),
    timestamp: Date.now(),
    correlationId: newId(),
    causationId: null,
    scope: null,
    metadata: {},
    origin: 'elsewhere',
    provenOrigin: null,
    routedType: null,
    signature: null,
  };
  await handOver!([
    { ...message, id: newId(), body: 'not JSON', destination: 'shop' },
    { ...message, id: newId(), body: '{}', destination: 'made-up-1' },
    { ...message, id: newId(), body: '{}', destination: 'made-up-2' },
  ]);
  expect(await measured('svc.messages.received', 'svc_messages_received_total')).toEqual({
    'shop ok': 1,
    'other ok': 2,
  });
  expect(await measured('svc.dead_letters', 'svc_dead_letters_total')).toEqual({
    'incoming Unreadable': 1,
    'incoming TypeMismatch': 2,
  });
});

it('batches of perspectives, and the age of their newest event', async () => {
  const service = shop();
  await placeOrder(service);
  await service.idle();
  expect(await measured('svc.perspective.batches', 'svc_perspective_batches_total')).toEqual({ 'OrderTrace ok': 1 });
  expect(await measured('svc.perspective.lag', 'svc_perspective_lag_seconds_count')).toEqual({ OrderTrace: 1 });
  const [lag] = await sdk.measured('svc.perspective.lag');
  const { sum } = lag!.value as { sum: number };
  expect(sum).toBeGreaterThanOrEqual(0);
  expect(sum).toBeLessThan(5);
});

it('works without an SDK: Prometheus has everything, and messages have no trace', async () => {
  await sdk.stop();
  const service = shop();
  await placeOrder(service);
  await service.idle();
  expect(samplesIn(await gathered.read(), 'svc_events_appended_total')).toEqual({ 'shop.OrderPlaced': 1 });
  for await (const { envelope } of service.eventStore.readAll()) expect(envelope.metadata).toEqual({});
});

it('the duration and the lag of reactions, by name and outcome, each with a link to the cause of the event', async () => {
  let attempts = 0;
  const charging = reactionOf({ name: 'Charging', retry: { attempts: 2, firstDelayMs: 1 } }, () => {
    if (++attempts === 1) throw new Error('not yet');
  });
  const service = shopWith([charging], new InMemoryStorage());
  service.useTelemetry(openTelemetry({ metrics: [gathered] })).start();
  await service.ready();
  await service.dispatcher.invoke(Object.assign(new PlaceOrder(), { note: 'x' }));
  await expect.poll(() => attempts).toBe(2);
  await service.idle();
  expect(await measured('svc.reaction.duration', 'svc_reaction_duration_seconds_count')).toEqual({
    'Charging failed': 1,
    'Charging ok': 1,
  });
  expect(await measured('svc.reaction.lag', 'svc_reaction_lag_seconds_count')).toEqual({ Charging: 1 });
  const [dispatch] = sdk.spans('svc.dispatch');
  const reacts = sdk.spans('svc.react');
  expect(reacts.map(({ links }) => links.map((link) => link.context.spanId))).toEqual(
    Array.from({ length: 2 }, () => [dispatch!.spanContext().spanId]),
  );
});

it('sealed events and their age for each checkpoint, and failed attempts of anchors', async () => {
  let attempts = 0;
  const storage = new InMemoryStorage();
  const failing = {
    name: 'notary',
    store: () => (++attempts > 2 ? Promise.resolve() : Promise.reject(new Error('not yet'))),
  };
  const service = shopWithEndpoint((_command, context) => context.append(newId(), new OrderPlaced()), storage)
    .addSystemEvents()
    .addSeals({ keys: [generateKeyPairSync('ed25519').privateKey], anchors: [failing], everyMs: 20 })
    .useTelemetry(openTelemetry({ metrics: [gathered] }))
    .reportTo(() => {})
    .start();
  started.push(service);
  for (let i = 0; i < 3; i++) await placeOrder(service);
  await expect.poll(() => attempts, { timeout: 30_000 }).toBeGreaterThan(2);
  const last = (await storage.seals.readLast())!;
  await service.stop();
  expect(await measured('svc.seal.events', 'svc_seal_events_count')).toEqual({ '': last.number });
  expect(await measured('svc.seal.lag', 'svc_seal_lag_seconds_count')).toEqual({ '': last.number });
  expect(samplesIn(await gathered.read(), 'svc_seal_events_sum')).toEqual({ '': last.size });
  expect(samplesIn(await gathered.read(), 'svc_seal_lag_seconds_sum')['']).toBeLessThan(30);
  expect(await measured('svc.seal.anchor_failures', 'svc_seal_anchor_failures_total')).toEqual({ notary: 2 });
});
