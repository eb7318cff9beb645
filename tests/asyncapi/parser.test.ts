/** The official parser accepts the AsyncAPI documents of services of every kind. */
import { randomBytes } from 'node:crypto';
import { createService, localKeyVault, type Service } from '@svc/core';
import { unprovenHosts } from '@svc/core/transport';
import { serve, type HostOptions } from '@svc/http';
import { rabbitMqTransport } from '@svc/rabbitmq';
import { serviceBusTransport } from '@svc/servicebus';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { authenticationFrom } from '../../examples/orders/src/authentication.js';
import { createHost, type HostSetup } from '../../examples/orders/src/host.js';
import type { AsyncApi } from './described-schemas.js';
import { diagnosticsOf } from './official-parser.js';
import { generateShapes, type Shapes } from './shapes.js';

/** The issue asks for 3.0; the parser recommends its latest version. */
const recommended = [expect.stringMatching(/^2 asyncapi-latest-version: /) as string];
const password = 'do-not-publish-this';

let shapes: Shapes;
beforeAll(async () => {
  shapes = await generateShapes();
});
afterAll(() => shapes.remove());

async function ofOrders(setup: HostSetup): Promise<{ text: string; document: AsyncApi }> {
  const { app } = await createHost({}, setup);
  const { body } = await app.inject('/asyncapi.json');
  await app.close();
  return { text: body, document: JSON.parse(body) as AsyncApi };
}

/** A transport whose broker does not exist: the document does not need it. */
const unreachable = () =>
  rabbitMqTransport({
    url: `amqp://orders:${password}@127.0.0.1:1/north%2Fwest`,
    hostName: 'orders',
    prefix: 'shop.',
    report: () => {},
  });

function drawings(): Service {
  return createService(shapes.registry)
    .useKeyVault(localKeyVault(`k1:${randomBytes(32).toString('base64')}`))
    .addService()
    .addServicePerspectives();
}

async function served(service: Service, options: HostOptions = {}): Promise<string> {
  const host = await serve(service.allowEverybody(), { ...options, port: 0, drain: { noticeMs: 0 } });
  onTestFinished(() => host.stop());
  return host.url;
}

async function documentOf(service: Service, options: HostOptions = {}): Promise<{ text: string; document: AsyncApi }> {
  const text = await (await fetch(`${await served(service, options)}${options.prefix ?? ''}/asyncapi.json`)).text();
  return { text, document: JSON.parse(text) as AsyncApi };
}

const addressesOf = ({ channels }: AsyncApi): string[] => Object.values(channels).map(({ address }) => address);

describe('the reference service', () => {
  it('with RabbitMQ and authentication', async () => {
    const authentication = authenticationFrom({ AUTH_SECRET: randomBytes(32).toString('hex'), API_KEYS: '[]' });
    const { text, document } = await ofOrders({ transport: unreachable(), authentication });
    expect(await diagnosticsOf(text)).toEqual(recommended);
    expect(addressesOf(document)).toEqual([
      'orders.{event}',
      '/customers/live',
      '/customers/{id}/live',
      '/orders/live',
      '/orders/{id}/live',
    ]);
    expect(document.channels['events.orders']!.bindings).toEqual({
      amqp: {
        is: 'routingKey',
        exchange: { name: 'shop.orders', type: 'topic', durable: true, autoDelete: false, vhost: 'north/west' },
        bindingVersion: '0.3.0',
      },
    });
    expect(Object.keys(document.components.securitySchemes ?? {})).toEqual(['Bearer', 'ApiKey']);
    // System events stay on their host.
    expect(text).not.toContain('auditevents');
    for (const secret of [password, '127.0.0.1', 'amqp://']) expect(text).not.toContain(secret);
  });

  it('without a broker has its live queries, with the filters of each', async () => {
    const { text, document } = await ofOrders({});
    expect(await diagnosticsOf(text)).toEqual(recommended);
    expect(addressesOf(document)).toHaveLength(4);
    expect(document.components.securitySchemes).toBeUndefined();
    const operation = document.operations['watchOrderSummaryPerspective'] as unknown as {
      bindings: { http: { query: { properties: object } } };
    };
    const parameters = Object.keys(operation.bindings.http.query.properties);
    expect(parameters).toEqual(expect.arrayContaining(['pageSize', 'sort', 'filter[status][in]', 'afterEvent']));
    expect(parameters).not.toEqual(expect.arrayContaining(['after']));
  });
});

describe('a service with unions, recursive types, tuples and personal data', () => {
  it('over RabbitMQ, with system events, accepted events and accepted commands', async () => {
    const service = drawings()
      .useTransport(unreachable())
      .addSystemEvents((options) => options.enableAll().broadcast())
      .acceptEvents({ from: unprovenHosts, namespaces: ['shapes', 'svc'] })
      .acceptCommands({ from: unprovenHosts, commands: [shapes.Draw] });
    const { text, document } = await documentOf(service);
    expect(await diagnosticsOf(text)).toEqual(recommended);
    const operations = Object.entries(document.operations).map(([name, { action }]) => `${action} ${name}`);
    expect(operations).toEqual([
      'send publish.events.svc.core.auditevents',
      'receive receive.events.svc.core.auditevents',
      'send publish.events.shapes',
      'receive receive.events.shapes',
      'receive receive.commands.orders',
      'send watchDrawingPerspective',
      'send watchOneDrawingPerspective',
    ]);
    expect(addressesOf(document)).toEqual(
      expect.arrayContaining(['svc.{event}', 'shapes.{event}', 'orders', '/drawings/live']),
    );
    expect(document.components.messages['shapes.ShapeDrawn']).toMatchObject({ summary: 'Version 2.' });
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(['Circle', 'Tree', 'ShapeDrawn', 'Draw', 'EventAudited', 'MessageHeaders']),
    );
    // A tuple and a described reference, in the words of draft 07.
    const { ShapeDrawn, Tree } = document.components.schemas as Record<string, { properties: Record<string, object> }>;
    expect(ShapeDrawn!.properties['at']).toMatchObject({ additionalItems: false, items: [{ type: 'number' }, {}] });
    expect(ShapeDrawn!.properties['author']).toMatchObject({ anyOf: [{ pattern: '^svc-personal:1:' }, {}] });
    expect(Tree!.properties['left']).toEqual({
      allOf: [{ $ref: '#/components/schemas/Tree' }],
      description: 'The smaller trees in it.',
    });
  });

  it('over the Service Bus, where all topics are one', async () => {
    const connectionString = `Endpoint=sb://orders.example/;SharedAccessKeyName=x;SharedAccessKey=${password}`;
    const service = drawings()
      .useTransport(serviceBusTransport({ connectionString, hostName: 'drawings' }))
      .addSystemEvents((options) => options.broadcast());
    const { text, document } = await documentOf(service, { prefix: '/api' });
    expect(await diagnosticsOf(text)).toEqual(recommended);
    expect(addressesOf(document)).toEqual(['svc', '/api/drawings/live', '/api/drawings/{id}/live']);
    expect(Object.values(document.channels)[0]).toMatchObject({ bindings: { amqp1: {} } });
    expect(Object.keys(Object.values(document.channels)[0]!.messages)).toEqual(
      expect.arrayContaining(['shapes.ShapeDrawn', 'svc.EventAudited']),
    );
    expect(text).not.toMatch(/orders\.example|SharedAccess|do-not-publish/);
  });

  it('without live queries and without a broker has no channels, and its OpenAPI document no live routes', async () => {
    const url = await served(drawings(), { live: false });
    const text = await (await fetch(`${url}/asyncapi.json`)).text();
    expect(await diagnosticsOf(text)).toEqual(recommended);
    expect(JSON.parse(text)).toMatchObject({ channels: {}, operations: {}, components: { messages: {}, schemas: {} } });
    const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: object };
    expect(Object.keys(paths)).toEqual(['/drawings', '/drawings/{id}']);
  });
});

describe('the route', () => {
  it.each<[string, HostOptions, number[]]>([
    ['is served with that of OpenAPI', {}, [200, 200]],
    ['is not served with asyncapi: false', { asyncapi: false }, [404, 200]],
    ['is not served with openapi: false', { openapi: false }, [404, 404]],
  ])('%s', async (_name, options, expected) => {
    const url = await served(drawings(), options);
    const statuses = ['/asyncapi.json', '/openapi.json'].map(async (path) => (await fetch(url + path)).status);
    expect(await Promise.all(statuses)).toEqual(expected);
  });
});

it('the parser rejects documents with errors, also in their schemas', async () => {
  const message = { payload: { type: 'tuple', prefixItems: [] } };
  const channels = { orders: { address: 'orders', messages: { placed: message } } };
  const operations = { lost: { action: 'send', channel: { $ref: '#/channels/unknown' } } };
  const document = { asyncapi: '3.0.0', info: { title: 'Orders', version: '1' }, channels };
  const found = await diagnosticsOf(JSON.stringify(document));
  expect(found).toContainEqual(expect.stringMatching(/^0 .* at channels\/orders\/messages\/placed\/payload\/type/));
  expect(await diagnosticsOf(JSON.stringify({ ...document, operations }))).toContainEqual(
    expect.stringMatching(/^0 invalid-ref: .* at operations\/lost\/channel/),
  );
});
