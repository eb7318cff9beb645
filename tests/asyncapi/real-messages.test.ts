/** What services send over RabbitMQ and over live connections is what their AsyncAPI documents say. */
import { randomBytes } from 'node:crypto';
import { createService, localKeyVault, messageOf, newId } from '@svc/core';
import { serve } from '@svc/http';
import { connect, type ConsumeMessage } from 'amqplib';
import { expect, it, onTestFinished } from 'vitest';
import { createHost, type OrdersHost } from '../../examples/orders/src/host.js';
import { order } from '../../examples/orders/src/testing/secured-orders.js';
import { LiveClient } from '../live/live-client.js';
import { brokerUserUrl, TestBroker } from '../rabbitmq/test-broker.js';
import { DescribedSchemas, type AsyncApi } from './described-schemas.js';
import { generateShapes } from './shapes.js';

/** Receives the messages of a channel of a document, as a program does that knows only the document. */
async function received(url: string, { address, parameters = {}, bindings }: AsyncApi['channels'][string]) {
  const { name, type } = bindings!.amqp!.exchange;
  const connection = await connect(url);
  onTestFinished(() => connection.close());
  const channel = await connection.createChannel();
  await channel.assertExchange(name, type, { durable: true });
  const { queue } = await channel.assertQueue('', { exclusive: true });
  const [[parameter, { enum: values = [] }]] = Object.entries(parameters) as [[string, { enum?: string[] }]];
  for (const value of values) await channel.bindQueue(queue, name, address.replace(`{${parameter}}`, value));
  const messages: ConsumeMessage[] = [];
  await channel.consume(queue, (message) => void (message !== null && messages.push(message)), { noAck: true });
  return messages;
}

function differences(schemas: DescribedSchemas, channel: string, messages: readonly ConsumeMessage[]): string[] {
  return messages.flatMap(({ fields, properties, content }) => {
    const headers = properties.headers ?? {};
    const unknown = Object.keys(headers).filter((name) => !documented.includes(name));
    return [
      ...schemas.violations(channel, fields.routingKey, {
        headers,
        payload: JSON.parse(content.toString()) as unknown,
      }),
      ...unknown.map((name) => `${name} is not documented`),
      ...(properties.contentType === 'application/json' ? [] : [`The content type is ${properties.contentType}.`]),
    ];
  });
}

let documented: string[] = [];

function schemasOf(document: AsyncApi): DescribedSchemas {
  const { MessageHeaders } = document.components.schemas as { MessageHeaders?: { properties: object } };
  documented = Object.keys(MessageHeaders?.properties ?? {});
  return new DescribedSchemas(document);
}

const typesOf = (messages: readonly ConsumeMessage[]): string[] => messages.map(({ fields }) => fields.routingKey);

async function post({ app }: OrdersHost, path: string, body: object): Promise<{ orderId: string }> {
  const answer = await app.inject({ method: 'POST', url: path, body });
  expect([answer.statusCode, answer.body]).toEqual([200, expect.any(String)]);
  return answer.json();
}

it('the reference service publishes events as described, with encrypted personal data', async () => {
  const broker = new TestBroker(await brokerUserUrl('orders'));
  onTestFinished(() => broker.close());
  const host = await createHost(
    { notifier: { notify: () => Promise.resolve() } },
    { transport: await broker.open('orders') },
  );
  onTestFinished(() => host.app.close());
  const document = (await host.app.inject('/asyncapi.json')).json<AsyncApi>();
  const messages = await received(broker.url, document.channels['events.orders']!);
  const { orderId } = await post(host, '/orders', order);
  await post(host, '/orders/change-delivery-address', { orderId, label: '2 Side St, Shelbyville, IL 62565' });
  await post(host, '/orders/pay', { orderId, amount: '7', cardToken: 'visa' });
  const expected = ['orders.OrderPlaced', 'orders.DeliveryAddressChanged', 'orders.OrderPaid', 'orders.StockReserved'];
  await expect.poll(() => typesOf(messages).toSorted()).toEqual(expected.toSorted());
  const schemas = schemasOf(document);
  expect(differences(schemas, 'events.orders', messages)).toEqual([]);
  const message = messages.find(({ fields }) => fields.routingKey === expected[1])!;
  const changed = message.content.toString();
  expect(changed).toContain('svc-personal:1:');
  // The check finds a difference.
  const plain = { ...(JSON.parse(changed) as object), shippingAddress: '2 Side St' };
  const { headers = {} } = message.properties;
  const found = schemas.violations('events.orders', expected[1]!, { headers, payload: plain });
  expect(found).toContainEqual(expect.stringContaining('/shippingAddress must match pattern'));
  expect(schemas.violations('events.orders', expected[0]!, { headers, payload: plain })).toContainEqual(
    expect.stringContaining('headers of orders.OrderPlaced: /cloudEvents_type must be equal to constant'),
  );
});

it('a service with unions and recursive types publishes its events and system events as described', async () => {
  const shapes = await generateShapes();
  onTestFinished(() => shapes.remove());
  const broker = new TestBroker(await brokerUserUrl('drawings'));
  onTestFinished(() => broker.close());
  const service = createService(shapes.registry)
    .useKeyVault(localKeyVault(`k1:${randomBytes(32).toString('base64')}`))
    .useTransport(await broker.open('drawings'))
    .addService()
    .addSystemEventAuditing((options) => options.enableAll().broadcast())
    .addServicePerspectives()
    .allowEverybody();
  const served = await serve(service, { port: 0, drain: { noticeMs: 0 } });
  onTestFinished(() => served.stop());
  const document = (await (await fetch(`${served.url}/asyncapi.json`)).json()) as AsyncApi;
  const schemas = schemasOf(document);
  const [drawn, audited] = await Promise.all(
    ['events.shapes', 'events.svc.core.auditevents'].map((id) => received(broker.url, document.channels[id]!)),
  );
  const client = new LiveClient();
  onTestFinished(() => client.close());
  await client.connect(`${served.url}${document.channels['live.DrawingPerspective']!.address}`);
  const tree = { name: 'a', children: [{ name: 'b', left: { name: 'c', children: [] }, children: [] }] };
  for (const shape of [
    { kind: 'circle', radius: '1.50' },
    { kind: 'square', side: 2 },
  ])
    await service.dispatcher.invoke(messageOf(shapes.Draw, { drawingId: newId(), shape, tree }));
  await expect.poll(() => typesOf(drawn!)).toEqual(['shapes.ShapeDrawn', 'shapes.ShapeDrawn']);
  await expect
    .poll(() => typesOf(audited!))
    .toEqual(expect.arrayContaining(['svc.EventAudited', 'svc.CommandAudited']));
  expect(differences(schemas, 'events.shapes', drawn!)).toEqual([]);
  expect(differences(schemas, 'events.svc.core.auditevents', audited!)).toEqual([]);
  await expect.poll(() => client.events.filter(({ name }) => name === 'upsert')).toHaveLength(2);
  expect(liveDifferences(schemas, 'live.DrawingPerspective', client)).toEqual([]);
});

it('live queries send page, upsert, remove, keys and reset as described', async () => {
  const host = await createHost({ notifier: { notify: () => Promise.resolve() } }, { drain: { noticeMs: 0 } });
  // After an aborted request, `fetch` opens a connection without a request: only a drain closes it.
  onTestFinished(async () => void (await host.drain.drain()));
  const url = await host.app.listen({ host: '127.0.0.1', port: 0 });
  const document = (await host.app.inject('/asyncapi.json')).json<AsyncApi>();
  const schemas = schemasOf(document);
  const first = await post(host, '/orders', order);
  await host.service.idle();
  const list = new LiveClient();
  const one = new LiveClient();
  onTestFinished(() => [list, one].forEach((client) => client.close()));
  const { address } = document.channels['live.OrderSummaryPerspective']!;
  const target = `${url}${address}?filter[status]=open`;
  await list.connect(target);
  await one.connect(
    url + document.channels['live.OrderSummaryPerspective.one']!.address.replace('{id}', first.orderId),
  );
  const names = ({ events }: LiveClient): string[] => events.map(({ name }) => name);
  await expect.poll(() => [...names(list), ...names(one)]).toEqual(['page', 'page']);
  const second = await post(host, '/orders', order);
  await expect.poll(() => names(list)).toEqual(['page', 'upsert']);
  await post(host, '/orders/pay', { orderId: first.orderId, amount: '7', cardToken: 'visa' });
  await expect.poll(() => names(list)).toEqual(['page', 'upsert', 'remove']);
  list.close();
  await post(host, '/orders/pay', { orderId: second.orderId, amount: '7', cardToken: 'visa' });
  await host.service.idle();
  await list.connect(target);
  await expect.poll(() => names(list).at(-1)).toBe('keys');
  list.close();
  list.place = 'unknown.1';
  await list.connect(target);
  await expect.poll(() => names(list).slice(-2)).toEqual(['reset', 'page']);
  await expect.poll(() => names(one)).toContain('upsert');
  expect(liveDifferences(schemas, 'live.OrderSummaryPerspective', list)).toEqual([]);
  expect(liveDifferences(schemas, 'live.OrderSummaryPerspective.one', one)).toEqual([]);
  const page = { headers: {}, payload: { models: [{ key: 1 }] } };
  expect(schemas.violations('live.OrderSummaryPerspective', 'page', page)).toEqual([
    "headers of page:  must have required property 'event'",
    "payload of page: /models/0 must have required property 'model'",
    'payload of page: /models/0/key must be string',
  ]);
});

function liveDifferences(schemas: DescribedSchemas, channel: string, { events }: LiveClient): string[] {
  return events.flatMap(({ name, id, data }) => {
    const headers = { event: name, ...(id !== null && { id }) };
    return schemas.violations(channel, name, { headers, payload: data });
  });
}
