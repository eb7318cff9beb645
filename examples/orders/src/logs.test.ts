/** What the service logs when requests fail: enough to find the cause, and no secret. */
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { structuredLogs } from '@svc/fastify';
import type { FastifyServerOptions } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { authenticationFrom } from './authentication.js';
import { createHost, type OrdersHost } from './host.js';
import { CapturedLogs } from './testing/captured-logs.js';
import { order } from './testing/secured-orders.js';

const secret = 'hunter2hunter2hunter2hunter2hunter2';
const key = `key-${secret}`;

let host: OrdersHost;
afterEach(() => host.app.close());

async function start(server: FastifyServerOptions, isOpen: boolean): Promise<void> {
  const failed = Object.assign(new Error(`POST https://bank:${secret}@bank.example/charge?token=${secret} failed`), {
    config: { headers: { authorization: `Bearer ${secret}` } },
    cause: new Error(`Password=${secret}; the bank said no`),
  });
  const payments = { charge: () => Promise.reject(failed) };
  const authentication = isOpen ? null : authenticationFrom({ AUTH_SECRET: secret, API_KEYS: '[]' });
  host = await createHost({ payments, notifier: { notify: () => Promise.resolve() } }, { server, authentication });
  host.app.get('/broken', () => Promise.reject(failed));
  host.app.get('/logs', (request) => {
    request.log.info({ headers: request.headers, user: { password: secret } }, `came from ${request.url}`);
    request.log.error(failed);
    request.log.error({ err: failed });
    return 'ok';
  });
  await host.app.listen({ host: '127.0.0.1', port: 0 });
}

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly type?: string;
  readonly body?: string;
}

/** Sends a secret in every header that may carry one. */
function send({ method = 'POST', path, type = 'application/json', body = '' }: Sent): Promise<number> {
  const { port } = host.app.server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${secret}`,
      'x-api-key': key,
      cookie: `session=${secret}`,
      'proxy-authorization': `Basic ${secret}`,
      'content-type': type,
      'content-length': Buffer.byteLength(body),
    };
    httpRequest({ host: '127.0.0.1', port, method, path, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    })
      .on('error', reject)
      .end(body);
  });
}

const query = `?access_token=${secret}&password=${secret}`;
const json = JSON.stringify;
const pay = { orderId: '0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d', amount: '1.00', cardToken: secret };

/** Every way in which a request can fail, each with a secret where one fits. */
const failing: readonly [name: string, sent: Sent, statuses: readonly number[]][] = [
  ['no route', { path: `/nothing${query}`, method: 'GET' }, [404]],
  ['no route for a body', { path: `/nothing${query}`, body: json({ password: secret }) }, [404]],
  ['no route, whole URL', { path: `http://ann:${secret}@host/nothing${query}`, method: 'GET' }, [404]],
  ['another method', { path: `/orders${query}`, method: 'DELETE' }, [401, 404, 405]],
  ['not JSON', { path: `/orders${query}`, body: `{"password": ${secret}}` }, [400, 401]],
  ['not JSON by its type', { path: '/orders', type: 'text/plain', body: secret }, [401, 415]],
  ['too large', { path: '/orders', body: json({ password: secret.repeat(60_000) }) }, [401, 413]],
  ['an invalid body', { path: '/orders', body: json({ ...order, [`password-${secret}`]: secret }) }, [400, 401]],
  ['a rejected command', { path: '/orders/pay', body: json(pay) }, [401, 404]],
  ['a broken route', { path: `/broken${query}`, method: 'GET' }, [500]],
  ['GraphQL: not JSON', { path: '/graphql', body: `{"query": ${secret}}` }, [400, 401]],
  ['GraphQL: no document', { path: '/graphql', body: json({ query: `mutation { ${secret} ` }) }, [200, 401]],
  ['GraphQL: an unknown field', { path: '/graphql', body: json({ query: `{ ${secret} }` }) }, [200, 401]],
  [
    'GraphQL: a rejected command',
    {
      path: `/graphql${query}`,
      body: json({
        query: `mutation { payOrder(command: { orderId: "${pay.orderId}", amount: "1.00", cardToken: "${secret}" }) { __typename } }`,
      }),
    },
    [200, 400, 401],
  ],
];

describe.each([
  ['without authentication', true],
  ['with authentication', false],
])('a service %s', (_name, isOpen) => {
  it('logs no secret, however a request fails', async () => {
    const logs = new CapturedLogs();
    await start(structuredLogs({ level: 'trace', stream: logs.stream }), isOpen);
    for (const [name, sent, statuses] of failing) {
      expect({ name, status: statuses.includes(await send(sent)) }).toEqual({ name, status: true });
      expect({ name, leaks: logs.text.includes('hunter2') }).toEqual({ name, leaks: false });
    }
    await send({ path: `/logs${query}`, method: 'GET' });
    expect(logs.lines.length).toBeGreaterThan(failing.length * 3);
    expect(logs.text).not.toContain('hunter2');
    expect(logs.text).toContain('came from /logs?***');
    expect(logs.text).toContain('the bank said no');
  });
});

it('logs no secret with a custom logger, except the query strings that this logger writes', async () => {
  const logs = new CapturedLogs();
  await start({ logger: { level: 'info', stream: logs.stream } }, true);
  for (const [name, sent] of failing) {
    if (name === 'no route, whole URL' || name === 'a broken route') continue;
    await send({ ...sent, path: sent.path.replace(query, '') });
    expect({ name, leaks: logs.text.includes('hunter2') }).toEqual({ name, leaks: false });
  }
});

it('logs a failed command without the secrets in its error', async () => {
  const logs = new CapturedLogs();
  await start(structuredLogs({ stream: logs.stream }), true);
  const { body: placed } = await host.app.inject({ method: 'POST', url: '/orders', payload: order });
  const { orderId } = JSON.parse(placed) as { orderId: string };
  expect(await send({ path: `/orders/pay${query}`, body: json({ ...pay, orderId }) })).toBe(500);
  expect(logs.lines.find(({ msg }) => msg === 'request failed')).toMatchObject({
    level: 50,
    err: { type: 'Error', message: expect.stringContaining('https://***@bank.example/charge?*** failed') as string },
  });
  expect(logs.text).not.toContain('hunter2');
});

it('logs the trace id of the problem on every line of the request', async () => {
  const logs = new CapturedLogs();
  await start(structuredLogs({ stream: logs.stream }), true);
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };
  for (const given of [headers, {}]) {
    logs.lines.length = 0;
    const answer = await host.app.inject({ method: 'POST', url: '/orders', headers: given, payload: { x: 1 } });
    const { traceId: answered } = answer.json<{ traceId: string }>();
    expect(answered).toMatch(/^[0-9a-f]{32}$/);
    if (given === headers) expect(answered).toBe(traceId);
    expect(logs.lines.map(({ msg }) => msg)).toEqual(['incoming request', 'request rejected', 'request completed']);
    expect(new Set(logs.lines.map((line) => line['traceId']))).toEqual(new Set([answered]));
  }
  const answer = await host.app.inject({ method: 'POST', url: '/graphql', headers, payload: { query: '{' } });
  expect(answer.json()).toMatchObject({ errors: [{ extensions: { code: 'GRAPHQL_PARSE_FAILED' } }] });
  for (const line of logs.lines.slice(-3)) expect(line['traceId']).toBe(traceId);
});
