/** How the generated client behaves when connections, the service and tokens fail. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  cancelOrder,
  createClient,
  createOrder,
  orders,
  RequestError,
  resultOf,
  type Client,
  type ClientOptions,
} from '../../examples/orders/src/client/generated/orders-client.js';
import type { Fault } from './failing-proxy.js';
import { clerkOf, orderOf, startOrders, type OrdersOnSqlite } from './orders-on-sqlite.js';

const used = { createOrder, cancelOrder, orders };

let served: OrdersOnSqlite;
let tenants = 0;
let token: string;
beforeAll(async () => (served = await startOrders()));
afterAll(() => served.stop());
beforeEach(async () => (token = await clerkOf(`tenant-${++tenants}`)));

function client(options: Partial<ClientOptions> = {}): Client<typeof used> {
  return createClient({ url: served.url, token: () => token, retryDelayMs: 5, ...options }, used);
}

async function placedOrders(): Promise<number> {
  return (await client().orders.list()).items.length;
}

function keysSent(): (string | undefined)[] {
  return served.proxy.arrived.map(({ headers }) => headers['idempotency-key']);
}

const unavailable: Fault = { status: 503, headers: { 'retry-after': '0' } };
const tooMany: Fault = { status: 429, headers: { 'retry-after': '0' } };

describe('a command', () => {
  it.each<[what: string, faults: Fault[]]>([
    ['the connection is cut before the request', ['cut before']],
    ['the response is lost', ['cut after']],
    ['the response ends within its body', ['cut within']],
    ['the service is unavailable', [unavailable]],
    ['the caller exceeded a limit', [tooMany]],
    ['all of this happens', ['cut after', unavailable, 'cut within']],
  ])('is retried with its idempotency key and executed once when %s', async (_what, faults) => {
    served.proxy.fail(...faults);
    const { orderId } = await client().createOrder(orderOf(1));
    const keys = keysSent();
    expect(keys).toHaveLength(faults.length + 1);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(await placedOrders()).toBe(1);
    expect((await client().orders.find(orderId))?.orderId).toBe(orderId);
  });

  it('has a new idempotency key each time', async () => {
    served.proxy.fail();
    const own = client();
    await Promise.all([own.createOrder(orderOf(1)), own.createOrder(orderOf(1))]);
    expect(new Set(keysSent()).size).toBe(2);
    expect(await placedOrders()).toBe(2);
  });

  it('repeated with your own idempotency key returns the first result', async () => {
    const options = { idempotencyKey: 'order-of-today' };
    const first = await client().createOrder(orderOf(1), options);
    expect(await client().createOrder(orderOf(1), options)).toEqual(first);
    expect(await placedOrders()).toBe(1);
    const reused = await resultOf(client().createOrder(orderOf(2), options));
    expect(reused).toMatchObject({ error: { type: 'urn:svc:problem:idempotency-key-reused' } });
  });

  it('without an idempotency key is not retried', async () => {
    served.proxy.fail('cut after');
    const result = await resultOf(client().createOrder(orderOf(1), { idempotencyKey: false }));
    expect(result).toMatchObject({ error: { type: 'no-response', status: null } });
    expect(keysSent()).toEqual([undefined]);
  });

  it.each([400, 403, 404, 409, 413, 422, 500, 502, 504])('is not retried after a %i', async (status) => {
    served.proxy.fail({ status, headers: { 'retry-after': '0' }, body: 'not a problem' });
    const result = await resultOf(client().createOrder(orderOf(1)));
    expect(result).toMatchObject({ error: { type: 'about:blank', status } });
    expect(served.proxy.arrived).toHaveLength(1);
  });

  it('fails with the last error after its retries', async () => {
    served.proxy.fail('cut before', 'cut before', unavailable, 'cut before');
    const error = await client({ retries: 2 })
      .createOrder(orderOf(1))
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 503, retryAfterMs: 0 });
    expect(served.proxy.arrived).toHaveLength(3);
    served.proxy.fail('cut before', 'cut before');
    const none = await resultOf(client({ retries: 0 }).createOrder(orderOf(1)));
    expect(none).toMatchObject({ error: { type: 'no-response', cause: expect.any(Error) as Error } });
    expect(served.proxy.arrived).toHaveLength(1);
  });
});

describe('a retry', () => {
  const gapsMs = (): number[] =>
    served.proxy.arrived.slice(1).map(({ atMs }, i) => atMs - served.proxy.arrived[i]!.atMs);

  it('waits as long as Retry-After says, in seconds or as a date', async () => {
    const date = new Date(Date.now() + 2_500).toUTCString();
    served.proxy.fail(
      { status: 503, headers: { 'retry-after': '1' } },
      { status: 429, headers: { 'retry-after': date } },
    );
    await client().createOrder(orderOf(1));
    expect(gapsMs()[0]).toBeGreaterThanOrEqual(995);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(date));
  });

  it('waits longer each time without it', async () => {
    served.proxy.fail('cut before', 'cut before', 'cut before');
    await client({ retryDelayMs: 40 }).orders.list();
    const [first, second, third] = gapsMs();
    expect(first).toBeGreaterThanOrEqual(19);
    expect(second).toBeGreaterThanOrEqual(39);
    expect(third).toBeGreaterThanOrEqual(79);
  });

  it('is left to the caller when the service asks for more than a minute', async () => {
    served.proxy.fail({ status: 503, headers: { 'retry-after': '61' } });
    const result = await resultOf(client().createOrder(orderOf(1)));
    expect(result).toMatchObject({ error: { status: 503, retryAfterMs: 61_000 } });
    expect(served.proxy.arrived).toHaveLength(1);
  });
});

describe('a read', () => {
  it('is retried like a command, without a key', async () => {
    served.proxy.fail('cut before', unavailable, 'cut within');
    expect((await client().orders.list()).items).toEqual([]);
    expect(keysSent()).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('reports a response that is not JSON', async () => {
    served.proxy.fail({ status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Welcome</h1>' });
    const result = await resultOf(client().orders.list());
    expect(result).toMatchObject({
      error: { type: 'about:blank', status: 200, detail: expect.stringContaining('url') as string },
    });
  });
});

describe('read your writes', () => {
  const waits = (): (string | null)[] =>
    served.proxy.arrived.map(({ path }) => new URL(path, served.url).searchParams.get('afterEvent'));

  it('waits for a command whose first response was lost', async () => {
    served.proxy.fail('cut after');
    const own = client();
    const { orderId } = await own.createOrder(orderOf(1));
    expect((await own.orders.find(orderId))?.orderId).toBe(orderId);
    expect(waits().at(-1)).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('waits for the last command, in every later read', async () => {
    const own = client();
    await own.createOrder(orderOf(1));
    await own.createOrder(orderOf(1));
    served.proxy.fail();
    expect((await own.orders.list()).items).toHaveLength(2);
    await own.orders.list();
    expect(waits()).toEqual([expect.any(String), waits()[0]]);
  });

  it('waits once for each of several concurrent commands', async () => {
    const own = client();
    await Promise.all([1, 2, 3].map((quantity) => own.createOrder(orderOf(quantity))));
    served.proxy.fail();
    expect((await own.orders.list()).items).toHaveLength(3);
    expect(new Set(waits()).size).toBe(3);
    await own.orders.list();
    expect(served.proxy.arrived).toHaveLength(4);
  });

  it('can be disabled for a client and for a read', async () => {
    const own = client({ readYourWrites: false });
    await own.createOrder(orderOf(1));
    const other = client();
    await other.createOrder(orderOf(1));
    served.proxy.fail();
    await own.orders.list();
    await other.orders.list({}, { afterEvent: false });
    expect(waits()).toEqual([null, null]);
  });

  it('can wait for the event of another client, and for another time', async () => {
    const own = client();
    await own.createOrder(orderOf(1));
    served.proxy.fail();
    await own.orders.list();
    const [event] = waits();
    await client().orders.list({}, { afterEvent: event!, waitSeconds: 20 });
    expect(waits()).toEqual([event, event]);
    expect(served.proxy.arrived.map(({ headers }) => headers['prefer'])).toEqual([undefined, 'wait=20']);
  });

  it('retries while the models do not include the event', async () => {
    const own = client();
    await own.createOrder(orderOf(1));
    const body = JSON.stringify({ type: 'urn:svc:problem:event-not-taken', status: 503, detail: 'Not yet.' });
    served.proxy.fail({ status: 503, headers: { 'retry-after': '0' }, body });
    expect((await own.orders.list()).items).toHaveLength(1);
    expect(served.proxy.arrived).toHaveLength(2);
  });

  it('stops waiting for an event that the service no longer has', async () => {
    const own = client();
    await own.createOrder(orderOf(1));
    // The token of another tenant, whose events these are not: the same answer as after a restored database.
    token = await clerkOf(`tenant-${++tenants}`);
    served.proxy.fail({ status: 401 });
    expect((await own.orders.list()).items).toEqual([]);
    expect(waits().at(-1)).toBeNull();
    await own.orders.list();
    expect(waits().at(-1)).toBeNull();
  });
});

describe('a rejected token', () => {
  it('is refreshed once, also for concurrent requests', async () => {
    const rejected: (string | undefined)[] = [];
    const own = client({
      async token(expired) {
        rejected.push(expired);
        return await Promise.resolve(expired === undefined ? 'expired-token' : token);
      },
    });
    const results = await Promise.all([1, 2, 3, 4, 5].map((quantity) => own.createOrder(orderOf(quantity))));
    expect(new Set(results.map(({ orderId }) => orderId)).size).toBe(5);
    expect(rejected).toEqual([undefined, 'expired-token']);
    expect((await own.orders.list()).items).toHaveLength(5);
    expect(rejected).toHaveLength(2);
  });

  it('that is rejected again is an error', async () => {
    let calls = 0;
    const own = client({ token: () => `wrong-${++calls}` });
    served.proxy.fail();
    expect(await resultOf(own.orders.list())).toMatchObject({ error: { type: 'urn:svc:problem:unauthenticated' } });
    expect([calls, served.proxy.arrived.length]).toEqual([2, 2]);
  });

  it('whose replacement fails is requested again by the next request', async () => {
    let calls = 0;
    const own = client({
      token() {
        if (++calls === 1) throw new Error('The login server is down.');
        return token;
      },
    });
    await expect(own.orders.list()).rejects.toThrow('The login server is down.');
    expect((await own.orders.list()).items).toEqual([]);
    expect(calls).toBe(2);
  });

  it('is not refreshed without a hook', async () => {
    served.proxy.fail();
    const anonymous = createClient({ url: served.url }, used);
    expect(await resultOf(anonymous.orders.list())).toMatchObject({ error: { status: 401 } });
    expect(served.proxy.arrived).toHaveLength(1);
  });
});

describe('headers', () => {
  it('come from a value or a function, and do not replace those of the client', async () => {
    served.proxy.fail('cut before');
    let calls = 0;
    const own = client({
      headers: () => ({ 'X-Call': String(++calls), 'Idempotency-Key': 'mine', Authorization: 'Basic eDp5' }),
    });
    await own.createOrder(orderOf(1));
    expect(served.proxy.arrived.map(({ headers }) => headers['x-call'])).toEqual(['1', '2']);
    expect(keysSent()).not.toContain('mine');
    served.proxy.fail();
    await client({ headers: { 'X-Call': 'fixed' } }).orders.list();
    expect(served.proxy.arrived[0]!.headers['x-call']).toBe('fixed');
  });

  it('that cannot be created fail the request without a retry', async () => {
    const own = client({
      headers: () => {
        throw new Error('No session.');
      },
    });
    served.proxy.fail();
    await expect(own.orders.list()).rejects.toThrow('No session.');
    expect(served.proxy.arrived).toEqual([]);
  });
});

describe('an aborted signal', () => {
  const reason = new Error('The page was closed.');

  it('ends a request with its reason, also as a result', async () => {
    const controller = new AbortController();
    served.proxy.fail('hang');
    const request = resultOf(client().createOrder(orderOf(1), { signal: controller.signal }));
    await expect.poll(() => served.proxy.arrived.length).toBe(1);
    controller.abort(reason);
    await expect(request).rejects.toBe(reason);
  });

  it('ends the wait before a retry', async () => {
    const controller = new AbortController();
    served.proxy.fail({ status: 503, headers: { 'retry-after': '60' } });
    const request = client().orders.list({}, { signal: controller.signal });
    await expect.poll(() => served.proxy.arrived.length).toBe(1);
    controller.abort(reason);
    await expect(request).rejects.toBe(reason);
  });

  it('ends an iteration', async () => {
    const controller = new AbortController();
    const own = client();
    for (const quantity of [1, 2]) await own.createOrder(orderOf(quantity));
    const seen: number[] = [];
    const iterate = async (): Promise<void> => {
      for await (const { pieces } of own.orders.all({ pageSize: 1 }, { signal: controller.signal })) {
        seen.push(pieces);
        controller.abort(reason);
      }
    };
    await expect(iterate()).rejects.toBe(reason);
    expect(seen).toHaveLength(1);
  });

  it('sends nothing when it was aborted before', async () => {
    served.proxy.fail();
    const request = client().createOrder(orderOf(1), { signal: AbortSignal.abort(reason) });
    await expect(request).rejects.toBe(reason);
    await expect(request).rejects.not.toBeInstanceOf(RequestError);
    expect(served.proxy.arrived).toEqual([]);
  });
});
