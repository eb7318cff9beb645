/**
 * Every response to requests generated from the OpenAPI document of examples/orders conforms to it. The long run:
 * SVC_TEST_OPENAPI_REQUESTS=20000 npx vitest run tests/openapi/conformance.test.ts
 */
import { Agent, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { order, SecuredOrders, tokenFor } from '../../examples/orders/src/testing/secured-orders.js';
import { Conformance, type ApiResponse } from './conformance.js';
import { operationsOf, type Document } from './document.js';
import { randomRequests, type ApiRequest, type Callers } from './random-requests.js';
import type { KnownValues } from './random-values.js';

const count = Number(process.env['SVC_TEST_OPENAPI_REQUESTS'] ?? 300);
const seed = Number(process.env['SVC_TEST_SEED'] ?? Date.now() % 2 ** 31);
const inFlight = 8;

/** Rules of the service and of its endpoints that no schema expresses. */
const rules = ['must be the id of a stored event', 'must be more than 0', 'must read "street, city, state zip"'];

const agent = new Agent({ keepAlive: true, maxSockets: inFlight });
let orders: SecuredOrders;
let document: Document;
let callers: Callers;
let known: KnownValues;

beforeAll(async () => {
  orders = await SecuredOrders.start();
  document = (await orders.send('/openapi.json', {})).body as Document;
  const bearer = async (claims: object): Promise<string> => `Bearer ${await tokenFor('ann', { ...claims })}`;
  callers = [await bearer({ roles: ['admin'] }), await bearer({}), 'Bearer x', ''];
  known = await seeded(callers[0]);
});
afterAll(async () => {
  agent.destroy();
  await orders.stop();
});

it(
  `responds to random requests as the OpenAPI document says (SVC_TEST_SEED=${seed})`,
  { timeout: 600_000 },
  async () => {
    const conformance = new Conformance(document, rules);
    const requests = fc.sample(randomRequests(document, known, callers), { seed, numRuns: count });
    // Many requests block the process for longer than the service leaves an idle connection open.
    agent.destroy();
    const deviations = new Map<string, string>();
    const statuses = new Map<string, number>();
    let next = 0;
    const work = async (): Promise<void> => {
      for (let one = requests[next++]; one !== undefined; one = requests[next++]) {
        const response = await sendAny(one);
        if (response === null) continue;
        const name = `${one.method} ${one.path}`;
        statuses.set(`${name} ${response.status}`, (statuses.get(`${name} ${response.status}`) ?? 0) + 1);
        for (const found of conformance.deviations(one, response)) {
          const sent = `${one.target.slice(0, 300)} ${JSON.stringify(one.headers).slice(0, 100)} ${one.body?.slice(0, 300) ?? ''}`;
          deviations.set(`${name}: ${found}`, sent);
        }
      }
    };
    await Promise.all(Array.from({ length: inFlight }, work));
    if (count > 300) console.log(Object.fromEntries([...statuses].toSorted(([a], [b]) => (a < b ? -1 : 1))));
    expect(Object.fromEntries(deviations)).toEqual({});
    // Requests that all fail would show nothing.
    const succeeded = operationsOf(document).filter(({ method, path }) => statuses.has(`${method} ${path} 200`));
    expect(succeeded.length).toBeGreaterThan(5);
    expect(succeeded.filter(({ path }) => path.endsWith('/live')).length).toBeGreaterThan(0);
  },
);

/** Creates some orders, and returns the ids, events and tokens of the responses. */
async function seeded(authorization: string): Promise<KnownValues> {
  const ids: string[] = [order.customerId];
  const events: string[] = [];
  for (let i = 0; i < 5; i++) {
    const { text, headers } = await send({
      method: 'POST',
      target: '/orders',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(order),
    });
    ids.push((JSON.parse(text) as { orderId: string }).orderId);
    events.push(String(headers['svc-last-event']));
  }
  await orders.host.service.idle();
  const lists = ['/orders?pageSize=1', '/orders?pageSize=1&sort=-key', '/audit?limit=1'];
  const pages = await Promise.all(
    lists.map((target) => send({ method: 'GET', target, headers: { authorization }, body: null })),
  );
  return { ids, events, tokens: pages.map(({ text }) => (JSON.parse(text) as { next: string }).next) };
}

type Sendable = Pick<ApiRequest, 'method' | 'target' | 'headers' | 'body'>;

/** Null if the response is lost: the service closes the connection after a 413, and a client that is still sending may not read it. */
async function sendAny(request: Sendable): Promise<ApiResponse | null> {
  const isTooLarge = (request.body?.length ?? 0) > 1024 * 1024;
  return await send(request).catch((error: unknown) => {
    if (isTooLarge) return null;
    throw new Error(`No response to ${request.method} ${request.target}`, { cause: error });
  });
}

function send({ method, target, headers, body }: Sendable): Promise<ApiResponse> {
  const { port } = orders.host.app.server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ agent, host: '127.0.0.1', port, method, path: target, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      const isStream = response.headers['content-type']?.startsWith('text/event-stream') === true;
      const received = (): void => resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      response.on('data', (chunk: string) => {
        text += chunk;
        // A live query does not end: its first page is enough.
        if (!isStream || !/^event: page\ndata: .*\n\n/m.test(text)) return;
        received();
        response.destroy();
      });
      response.on('end', received);
    });
    sent.on('error', reject);
    sent.end(body ?? undefined);
  });
}
