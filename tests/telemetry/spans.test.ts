/** The spans of a service, with a real SDK. */
import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { CommandRejectedError, InMemoryStorage, newId, type Service } from '@svc/core';
import { runAs } from '@svc/core/hosting';
import { StorageUnavailableError } from '@svc/core/storage';
import { InProcessTransport, type Transport } from '@svc/core/transport';
import { openTelemetry } from '@svc/telemetry';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { ann, collect, OrderPlaced, PingOrder, PlaceOrder, shopEvents } from '../system-events/shop.js';
import { OrderTrace } from '../perspectives/perspective-shop.js';
import { Sdk } from './sdk.js';
import { placeOrder, shopWithEndpoint } from './watched-shop.js';

const sdk = Sdk.register();
beforeEach(() => sdk.forget());
afterAll(() => sdk.stop());

const watched = (...args: Parameters<typeof shopWithEndpoint>): Service =>
  shopWithEndpoint(...args).useTelemetry(openTelemetry());

const parentOf = (span: ReadableSpan): string | undefined => span.parentSpanContext?.spanId;
const traceOf = (span: ReadableSpan): string => span.spanContext().traceId;

describe('one request', () => {
  it('is one trace: endpoint, dispatch, append, below the active span', async () => {
    const service = watched().start();
    const server = trace.getTracer('test').startSpan('POST /place-order', { kind: SpanKind.SERVER });
    await context.with(trace.setSpan(ROOT_CONTEXT, server), () => placeOrder(service));
    server.end();
    const [endpoint] = sdk.spans('svc.endpoint');
    const [dispatch] = sdk.spans('svc.dispatch');
    const [append] = sdk.spans('svc.append');
    expect(parentOf(endpoint!)).toBe(server.spanContext().spanId);
    expect(parentOf(dispatch!)).toBe(endpoint!.spanContext().spanId);
    expect(parentOf(append!)).toBe(dispatch!.spanContext().spanId);
    expect([endpoint, dispatch, append].map((span) => traceOf(span!))).toEqual(
      Array<string>(3).fill(server.spanContext().traceId),
    );
    expect(endpoint!.attributes).toEqual({
      'svc.endpoint.name': 'PlaceOrderEndpoint',
      'svc.command.type': 'shop.PlaceOrder',
      'svc.outcome': 'ok',
    });
    expect(dispatch!.attributes).toEqual({ 'svc.command.type': 'shop.PlaceOrder', 'svc.outcome': 'ok' });
    const [appended] = await collect(service.eventStore.readAll());
    expect(append!.attributes).toEqual({
      'svc.correlation.id': appended!.envelope.correlationId,
      'db.operation.name': 'append',
      'svc.append.dead_letters': 0,
      'svc.append.events': 1,
      'svc.append.outgoing': 0,
      'svc.append.delivered': 0,
      'svc.append.received': 0,
      'svc.outcome': 'ok',
    });
    expect(append!.kind).toBe(SpanKind.CLIENT);
    await service.stop();
  });

  it('has its dispatch span active in the receptor, so that further spans belong to it', async () => {
    let active: string | undefined;
    const service = watched(() => {
      active = trace.getActiveSpan()?.spanContext().spanId;
    }).start();
    await placeOrder(service);
    expect(active).toBe(sdk.spans('svc.dispatch')[0]?.spanContext().spanId);
  });

  it('adds its trace to the events, in W3C format', async () => {
    const service = watched().start();
    await placeOrder(service);
    const [{ envelope } = { envelope: null }] = await collect(service.eventStore.readAll());
    const { traceId, spanId } = sdk.spans('svc.dispatch')[0]!.spanContext();
    expect(envelope?.metadata).toEqual({ traceparent: `00-${traceId}-${spanId}-01` });
  });

  it('preserves the metadata of the caller next to the trace, also for nested commands', async () => {
    const service = watched(async (command, receptor) => {
      if (command instanceof PlaceOrder) await receptor.invoke(new PingOrder());
      else receptor.append(newId(), new OrderPlaced());
    }).start();
    await service.dispatcher.invoke(new PlaceOrder(), { metadata: { importedFrom: 'file' } });
    const [event] = await collect(service.eventStore.readAll());
    expect(event?.envelope.metadata).toEqual({
      importedFrom: 'file',
      traceparent: expect.stringContaining(traceOf(sdk.spans('svc.dispatch')[0]!)) as string,
    });
  });
});

describe('failures', () => {
  it.each([
    ['a rejection is not a fault', () => new CommandRejectedError('no'), 'refused', 'SVC_COMMAND_REJECTED', false],
    ['a failure is a fault', () => new TypeError('secret'), 'failed', 'TypeError', true],
    [
      'so is an unavailable database',
      () => new StorageUnavailableError('none', new Error('secret')),
      'unavailable',
      'SVC_STORAGE_UNAVAILABLE',
      true,
    ],
    [
      'a cancelled command is not a fault',
      () => new DOMException('secret', 'AbortError'),
      'cancelled',
      'AbortError',
      false,
    ],
    [
      'a name that holds anything but a name is left out',
      () => Object.assign(new Error('x'), { name: 'secret in a name' }),
      'failed',
      '_OTHER',
      true,
    ],
  ])('%s', async (_name, error, outcome, errorType, isFault) => {
    const thrown = error();
    const service = watched(() => {
      throw thrown;
    }).start();
    await expect(placeOrder(service)).rejects.toBe(thrown);
    for (const name of ['svc.endpoint', 'svc.dispatch']) {
      const [span] = sdk.spans(name);
      expect(span?.attributes).toMatchObject({ 'svc.outcome': outcome, 'error.type': errorType });
      expect(span?.status).toEqual({ code: isFault ? SpanStatusCode.ERROR : SpanStatusCode.UNSET });
      expect(span?.events).toEqual([]);
    }
  });

  it('marks an append with a stale position as a conflict', async () => {
    const orderId = newId();
    const service = watched((_command, receptor) =>
      receptor.append(orderId, new OrderPlaced(), { expectedPosition: 5 }),
    ).start();
    await expect(placeOrder(service)).rejects.toMatchObject({ code: 'SVC_CONCURRENCY_CONFLICT' });
    expect(sdk.spans('svc.append')[0]?.attributes).toMatchObject({
      'svc.outcome': 'conflict',
      'error.type': 'SVC_CONCURRENCY_CONFLICT',
    });
  });
});

it('a batch of a perspective is a new trace', async () => {
  const service = watched().start();
  await placeOrder(service);
  await service.idle();
  const [apply] = sdk.spans('svc.apply');
  expect(apply?.attributes).toEqual({
    'svc.perspective.name': 'OrderTrace',
    'svc.perspective.rebuild': false,
    'svc.perspective.models': 1,
    'svc.outcome': 'ok',
  });
  expect(parentOf(apply!)).toBeUndefined();
  sdk.forget();
  await service.rebuildPerspective(OrderTrace);
  // A rebuild goes under the name of its perspective, not under one that is new each time.
  expect(sdk.spans('svc.apply')[0]?.attributes).toMatchObject({
    'svc.perspective.name': 'OrderTrace',
    'svc.perspective.rebuild': true,
  });
  await service.stop();
});

describe('two hosts', () => {
  async function settle(transport: InProcessTransport, ...hosts: Service[]): Promise<void> {
    for (let round = 0; round < 3; round++) {
      for (const service of hosts) await service.idle();
      await transport.idle();
    }
  }

  it('share the trace of a request: the sender publishes in it, the receiver receives and appends in it', async () => {
    const transport = new InProcessTransport();
    const sender = watched().useTransport(transport).acceptEvents(shopEvents).start();
    const receiver = watched().useTransport(transport).acceptEvents(shopEvents).start();
    await Promise.all([sender.ready(), receiver.ready()]);
    await placeOrder(sender);
    await settle(transport, sender, receiver);

    const [dispatch] = sdk.spans('svc.dispatch');
    const [publish] = sdk.spans('svc.publish');
    const receives = sdk.spans('svc.receive');
    const { spanId: caused, traceId } = dispatch!.spanContext();
    expect(publish!.kind).toBe(SpanKind.PRODUCER);
    expect([traceOf(publish!), parentOf(publish!)]).toEqual([traceId, caused]);
    expect(publish!.attributes).toEqual({
      'messaging.system': 'svc',
      'messaging.operation.name': 'publish',
      'messaging.operation.type': 'send',
      'messaging.destination.name': 'shop',
      'messaging.batch.message_count': 1,
      'svc.outcome': 'ok',
    });
    // The sender receives its own message as well, and ignores it.
    expect(receives).toHaveLength(1);
    const [receive] = receives;
    expect(receive!.kind).toBe(SpanKind.CONSUMER);
    expect([traceOf(receive!), parentOf(receive!)]).toEqual([traceId, caused]);
    expect(receive!.attributes).toMatchObject({
      'messaging.operation.type': 'process',
      'messaging.destination.name': 'shop',
      'messaging.batch.message_count': 1,
    });
    const appended = sdk.spans('svc.append').find(({ attributes }) => attributes['svc.append.received'] === 1);
    expect(parentOf(appended!)).toBe(receive!.spanContext().spanId);
    expect(traceOf(appended!)).toBe(traceId);
    const [event] = await collect(receiver.eventStore.readAll());
    expect(event?.envelope.metadata['traceparent']).toBe(`00-${traceId}-${caused}-01`);
    await Promise.all([sender.stop(), receiver.stop()]);
  });

  it('share the trace of a command that one sends to the other: it is received, dispatched and committed in it', async () => {
    const transport = new InProcessTransport();
    const sender = watched((_command, receptor) => receptor.send(new PingOrder(), { to: 'receiver' }))
      .useTransport(transport.host('sender'))
      .start();
    const receiver = watched()
      .useTransport(transport.host('receiver'))
      .acceptCommands({ from: 'sender', commands: [PingOrder] })
      .start();
    await Promise.all([sender.ready(), receiver.ready()]);
    await placeOrder(sender);
    await sender.idle();
    await transport.idle();

    const dispatches = sdk.spans('svc.dispatch');
    const there = dispatches.find(({ attributes }) => attributes['svc.command.type'] === 'shop.PingOrder');
    const receive = sdk.spans('svc.receive').find((span) => span.spanContext().spanId === parentOf(there!));
    expect(receive!.attributes).toMatchObject({ 'messaging.destination.name': 'inbox:receiver', 'svc.outcome': 'ok' });
    expect(new Set([...dispatches, receive!].map(traceOf)).size).toBe(1);
    const appendSpan = sdk.spans('svc.append').find((span) => parentOf(span) === there!.spanContext().spanId);
    expect(appendSpan!.attributes).toMatchObject({ 'svc.append.received': 1, 'svc.append.events': 1 });
    await Promise.all([sender.stop(), receiver.stop()]);
  });

  it('do not use the request that woke a worker as the cause of a delivery: it is a new trace', async () => {
    const transport = new InProcessTransport();
    const service = watched().useTransport(transport).start();
    await placeOrder(service);
    await settle(transport, service);
    const delivery = sdk.spans('svc.append').find(({ attributes }) => attributes['svc.append.delivered'] === 1);
    expect(parentOf(delivery!)).toBeUndefined();
    await service.stop();
  });

  it('separate the traces of one batch: a span in each of them', async () => {
    const transport = new InProcessTransport();
    const [service, receiver] = [watched(), watched()].map((one) =>
      one.useTransport(transport).acceptEvents(shopEvents).start(),
    ) as [Service, Service];
    await Promise.all([service.ready(), receiver.ready()]);
    await Promise.all([placeOrder(service), placeOrder(service), placeOrder(service)]);
    await settle(transport, service, receiver);
    const traces = new Set(sdk.spans('svc.dispatch').map(traceOf));
    expect(traces.size).toBe(3);
    expect(new Set(sdk.spans('svc.publish').map(traceOf))).toEqual(traces);
    expect(new Set(sdk.spans('svc.receive').map(traceOf))).toEqual(traces);
    await Promise.all([service.stop(), receiver.stop()]);
  });

  it('add a message without a cause to the trace of its publishing', async () => {
    const transport = new InProcessTransport();
    // Not watched at first: what it leaves in the outbox says nothing of a trace.
    const storage = new InMemoryStorage();
    const away: Transport = {
      publish: () => Promise.reject(new Error('away')),
      subscribe: (...given) => transport.subscribe(...given),
    };
    const before = shopWithEndpoint(undefined, storage)
      .useTransport(away)
      .reportTo(() => {})
      .start();
    await placeOrder(before);
    await before.stop();
    const [sender, receiver] = [watched(undefined, storage), watched()].map((one) =>
      one.useTransport(transport).acceptEvents(shopEvents),
    );
    await receiver!.start().ready();
    await sender!.start().ready();
    await settle(transport, sender!, receiver!);
    const [publish] = sdk.spans('svc.publish');
    expect(parentOf(publish!)).toBeUndefined();
    for (const receive of sdk.spans('svc.receive')) expect(parentOf(receive)).toBe(publish!.spanContext().spanId);
    expect(sdk.spans('svc.receive').length).toBeGreaterThan(0);
    await Promise.all([sender!.stop(), receiver!.stop()]);
  });

  it('report failed publishing', async () => {
    const transport: Transport = {
      publish: () => Promise.reject(new TypeError('secret')),
      subscribe: () => Promise.resolve({ isUp: true, close: () => Promise.resolve() }),
    };
    const reported: unknown[][] = [];
    const service = watched()
      .useTransport(transport)
      .reportTo((...given) => reported.push(given))
      .start();
    await placeOrder(service);
    await expect.poll(() => sdk.spans('svc.publish').length).toBeGreaterThan(0);
    const [publish] = sdk.spans('svc.publish');
    expect(publish?.attributes).toMatchObject({ 'svc.outcome': 'failed', 'error.type': 'TypeError' });
    expect(publish?.status.code).toBe(SpanStatusCode.ERROR);
    await service.stop();
    expect(reported[0]?.[1]).toBe('outbox.transport');
  });
});

it('contain no bodies, scopes and error messages', async () => {
  const transport = new InProcessTransport();
  const service = watched((command, receptor) => {
    const { note } = command as PlaceOrder;
    if (note.includes('fail')) throw new Error(`could not take ${note}`);
    receptor.append(newId(), Object.assign(new OrderPlaced(), { note }));
  })
    .useTransport(transport)
    .acceptEvents(shopEvents)
    .start();
  const receiver = watched().useTransport(transport).acceptEvents(shopEvents).start();
  await Promise.all([service.ready(), receiver.ready()]);
  await context.with(
    propagation.setBaggage(context.active(), propagation.createBaggage({ user: { value: 'hunter2' } })),
    () => runAs(ann, () => placeOrder(service, 'hunter2')),
  );
  await expect(runAs(ann, () => placeOrder(service, 'hunter2 fail'))).rejects.toThrow('hunter2');
  await service.idle();
  await transport.idle();
  const exported = await sdk.everything();
  expect(exported).toContain('svc.receive');
  for (const secret of ['hunter2', 'acme', 'Ann', 'ann', 'clerk']) expect(exported).not.toContain(secret);
  const [event] = await collect(service.eventStore.readAll());
  expect(Object.keys(event!.envelope.metadata)).toEqual(['traceparent']);
  await Promise.all([service.stop(), receiver.stop()]);
});
