/** Work in the background: outside of the trace of the request that started it, with a link to its cause. */
import { context, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { createService, newId, type Service, type Uuid } from '@svc/core';
import { InProcessTransport } from '@svc/core/transport';
import { openTelemetry } from '@svc/telemetry';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useDatabases, type TrialDatabase } from '../migrations/databases.js';
import { described, OrderTrace } from '../perspectives/perspective-shop.js';
import { reactionOf } from '../reactions/reaction-shop.js';
import {
  OrderPaid,
  OrderPinged,
  OrderPlaced,
  PayOrder,
  PingOrder,
  PlaceOrder,
  shopEvents,
  shopRegistry,
} from '../system-events/shop.js';
import { Sdk } from './sdk.js';

const databases = useDatabases();
const sdk = Sdk.register();
const { query } = pg.Client.prototype;
afterAll(() => sdk.stop());
beforeEach(() => {
  sdk.forget();
  // Like OpenTelemetry's instrumentation of the driver: a span for each statement, below the active one.
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]): never {
    trace.getTracer('pg').startSpan('sql').end();
    return Reflect.apply(query, this, given) as never;
  };
});
afterEach(() => {
  pg.Client.prototype.query = query;
});

const spanOf = (span: ReadableSpan): string => span.spanContext().spanId;
const linkedTo = (span: ReadableSpan): string[] => span.links.map((link) => link.context.spanId);

/** Places an order, which a reaction pays and which schedules a ping. */
function busyShop(storage: ReturnType<TrialDatabase['storage']>): Service {
  const registry = shopRegistry((command, receptor) => {
    const { orderId } = command as { orderId: Uuid };
    if (command instanceof PingOrder) return receptor.append(orderId, new OrderPinged());
    if (command instanceof PayOrder) return receptor.append(orderId, new OrderPaid());
    receptor.append(orderId, new OrderPlaced());
    return receptor.schedule(Object.assign(new PingOrder(), { orderId }), { after: { milliseconds: 10 } });
  });
  const paying = reactionOf({}, (_event, reacting) => reacting.invoke(new PayOrder()) as Promise<void>);
  return createService({
    ...registry,
    reactions: [paying],
    perspectives: [described(OrderTrace, [OrderPlaced, OrderPaid])],
  })
    .addService()
    .useStorage(storage)
    .useTransport(new InProcessTransport())
    .acceptEvents(shopEvents)
    .addSystemEventAuditing((options) => options.enableAll())
    .addServicePerspectives()
    .addServiceReactions()
    .useTelemetry(openTelemetry());
}

/** Sends a command as a request would, and waits until everything that follows from it is done. */
async function request(service: Service): Promise<string> {
  const server = trace.getTracer('test').startSpan('POST /place-order', { kind: SpanKind.SERVER });
  const command = Object.assign(new PlaceOrder(), { orderId: newId() });
  await context.with(trace.setSpan(ROOT_CONTEXT, server), () => service.dispatcher.invoke(command));
  server.end();
  await expect.poll(() => dispatched('shop.PingOrder').length).toBe(1);
  await expect.poll(() => sdk.spans('svc.react').length).toBe(1);
  await service.idle();
  return server.spanContext().traceId;
}

/** What a request consists of. */
const own = ['POST /place-order', 'svc.append', 'svc.dispatch', 'svc.publish'];

const namesIn = (traceId: string): string[] =>
  sdk
    .spans()
    .filter((span) => span.spanContext().traceId === traceId)
    .map(({ name }) => name)
    .toSorted();

const dispatched = (type: string): ReadableSpan[] =>
  sdk.spans('svc.dispatch').filter(({ attributes }) => attributes['svc.command.type'] === type);

describe.each(Object.keys(databases))('on %s', (kind) => {
  let database: TrialDatabase;
  let service: Service;
  beforeEach(async () => {
    database = await databases[kind]!();
    service = busyShop(database.storage());
  });
  afterEach(async () => {
    await service.stop();
    await database.remove();
  });

  it('the trace of a request has its own work and the publishing of its events, and nothing else', async () => {
    await service.start().ready();
    const traceId = await request(service);
    const names = namesIn(traceId);
    // One statement, where the driver is asynchronous and can be observed.
    expect(names).toEqual([...own, ...(kind === 'postgres' ? ['sql'] : [])].toSorted());
    expect(sdk.spans().length).toBeGreaterThan(names.length + 3);
  });

  it('a reaction is a new trace with a link to the command that caused its event', async () => {
    await service.start().ready();
    await request(service);
    const [place] = dispatched('shop.PlaceOrder');
    const [react] = sdk.spans('svc.react');
    expect(react!.parentSpanContext).toBeUndefined();
    expect(linkedTo(react!)).toEqual([spanOf(place!)]);
    const append = sdk
      .spans('svc.append')
      .find(({ parentSpanContext }) => parentSpanContext?.spanId === spanOf(react!));
    expect(append).toBeDefined();
  });

  it('a scheduled command is a new trace with a link to the command that scheduled it', async () => {
    await service.start().ready();
    await request(service);
    const [place] = dispatched('shop.PlaceOrder');
    const [ping] = dispatched('shop.PingOrder');
    expect(ping!.parentSpanContext).toBeUndefined();
    expect(linkedTo(ping!)).toEqual([spanOf(place!)]);
    // A command of a request has a parent, and needs no link.
    expect(linkedTo(place!)).toEqual([]);
  });

  it('work in the background is not part of the span in which the service was started', async () => {
    const start = trace.getTracer('test').startSpan('start');
    await context.with(trace.setSpan(ROOT_CONTEXT, start), () => service.start().ready());
    start.end();
    await request(service);
    expect(namesIn(start.spanContext().traceId)).toEqual(['start']);
  });
});
