/** Live models of the generated client, against the real service on SQLite. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  createClient,
  operations,
  RequestError,
  type Client,
  type ClientOptions,
  type LiveChange,
  type LiveWatch,
  type OrderSummary,
} from '../../examples/orders/src/client/generated/orders-client.js';
import { tokenFor } from '../../examples/orders/src/testing/secured-orders.js';
import { clerkOf, orderOf, startOrders, type OrdersOnSqlite } from './orders-on-sqlite.js';

let served: OrdersOnSqlite;
let tenants = 0;
let token: string;
beforeAll(async () => (served = await startOrders()));
afterAll(() => served.stop());
beforeEach(async () => {
  token = await clerkOf(`live-${++tenants}`);
  served.proxy.fail();
});

type OrdersClient = Client<typeof operations>;
type Query = Parameters<OrdersClient['orders']['watch']>[0];

function client(options: Partial<ClientOptions> = {}): OrdersClient {
  return createClient({ url: served.url, token: () => token, retryDelayMs: 5, ...options }, operations);
}

const pollOptions = { timeout: 30_000, interval: 10 };
const streams = (): number => served.proxy.openStreams;
const noStreams = async (): Promise<void> => {
  await expect.poll(streams, pollOptions).toBe(0);
};

interface Watched {
  readonly calls: (readonly OrderSummary[])[];
  readonly watch: LiveWatch;
  /** Waits until the last list has orders with these numbers of pieces. */
  shows(...pieces: number[]): Promise<void>;
}

function watched(own: OrdersClient, query: Query = { sort: 'placedAt' }): Watched {
  const calls: (readonly OrderSummary[])[] = [];
  const watch = own.orders.watch(query, (orders) => calls.push(orders));
  onTestFinished(async () => {
    watch.stop();
    await watch.ended.catch(() => {});
    await noStreams();
  });
  const pieces = (): number[] | undefined => calls.at(-1)?.map((order) => order.pieces);
  return {
    calls,
    watch,
    async shows(...expected) {
      await expect.poll(pieces, pollOptions).toEqual(expected);
    },
  };
}

describe('a watched list', () => {
  it('has the models of the list, typed, and follows changes in their order', async () => {
    const own = client();
    const { orderId } = await own.createOrder({ ...orderOf(1), customerName: 'Zoë 🫖' });
    const { calls, shows } = watched(own, { where: { status: 'open' }, sort: '-placedAt', pageSize: 2 });
    await shows(1);
    expect(calls[0]![0]).toMatchObject({ orderId, customerName: 'Zoë 🫖', status: 'open' });
    expect(calls[0]![0]!.placedAt).toBeInstanceOf(Date);
    await own.createOrder(orderOf(2));
    await shows(2, 1);
    const third = await own.createOrder(orderOf(3));
    await shows(3, 2);
    await own.cancelOrder({ orderId: third.orderId, reason: 'Ordered twice' });
    await shows(2, 1);
    // One call for each change, also if it removes one order and adds another.
    expect(calls).toHaveLength(4);
  });

  it('of one key is that model', async () => {
    const own = client();
    const { orderId } = await own.createOrder(orderOf(1));
    await own.createOrder(orderOf(2));
    const { calls, shows } = watched(own, { where: { key: orderId } });
    await shows(1);
    await own.cancelOrder({ orderId, reason: 'Ordered twice' });
    await expect.poll(() => calls.at(-1)?.[0]?.status, pollOptions).toBe('cancelled');
  });

  it('of no values is empty, without a request', async () => {
    const { shows } = watched(client(), { where: { status: { in: [] } } });
    await shows();
    expect(served.proxy.arrived).toEqual([]);
  });

  it('continues where it was when connections are cut', async () => {
    const own = client();
    const first = await own.createOrder(orderOf(1));
    const { calls, shows } = watched(own);
    await shows(1);
    served.proxy.fail(
      'cut before',
      { status: 503, headers: { 'retry-after': '0' } },
      'cut before',
      'cut before',
      'cut before',
    );
    served.proxy.cutStreams();
    await expect.poll(() => served.proxy.arrived.length, pollOptions).toBe(6);
    expect(served.proxy.arrived.at(-1)!.headers['last-event-id']).toMatch(/^[0-9a-f]+\.\d+$/);
    await expect.poll(streams, pollOptions).toBe(1);
    expect(calls).toHaveLength(1);
    served.proxy.fail();
    served.proxy.cutStreams();
    await own.createOrder(orderOf(2));
    await own.createOrder(orderOf(3));
    await own.cancelOrder({ orderId: first.orderId, reason: 'Ordered twice' });
    await shows(1, 2, 3);
    await expect.poll(() => calls.at(-1)![0]!.status, pollOptions).toBe('cancelled');
  });

  it('removes what has left the list while there was no connection', async () => {
    const own = client();
    const ids = [];
    for (const quantity of [1, 2, 3]) ids.push((await own.createOrder(orderOf(quantity))).orderId);
    const { calls, shows } = watched(own, { where: { status: 'open' }, sort: 'placedAt', pageSize: 2 });
    await shows(1, 2);
    served.proxy.cutStreams();
    // The third order moves onto the page. It has not changed, so the service does not send it to a client with a place.
    await own.cancelOrder({ orderId: ids[0]!, reason: 'Ordered twice' });
    await shows(2, 3);
    expect(calls.at(-1)?.every(({ status }) => status === 'open')).toBe(true);
  });

  it('continues on another host after a restart', async () => {
    const own = client();
    await own.createOrder(orderOf(1));
    const { calls, shows } = watched(own);
    await shows(1);
    await served.restart();
    await own.createOrder(orderOf(2));
    await shows(1, 2);
    expect(calls).toHaveLength(2);
  });

  it('ends with the error when the callback throws', async () => {
    const watch = client().orders.watch({}, () => {
      throw new Error('Cannot draw.');
    });
    await expect(watch.ended).rejects.toThrow('Cannot draw.');
    await noStreams();
  });

  it('is not called after stop or an aborted signal, and closes the connection', async () => {
    const own = client();
    const controller = new AbortController();
    const calls: number[] = [];
    const stopped = own.orders.watch({}, () => {
      calls.push(1);
      stopped.stop();
    });
    const aborted = own.orders.watch({}, () => controller.abort(), { signal: controller.signal });
    await Promise.all([stopped.ended, aborted.ended]);
    await own.createOrder(orderOf(1));
    await noStreams();
    expect(calls).toEqual([1]);
  });
});

describe('live changes', () => {
  it('begin with a page that includes earlier commands', async () => {
    const own = client();
    const placed = await Promise.all([1, 2, 3].map((quantity) => own.createOrder(orderOf(quantity))));
    const seen: LiveChange<OrderSummary>[] = [];
    for await (const change of own.orders.live({ sort: 'placedAt' })) {
      seen.push(change);
      if (seen.length === 1) await own.cancelOrder({ orderId: placed[0]!.orderId, reason: 'Ordered twice' });
      else break;
    }
    const [page, upsert] = seen;
    expect(page?.kind === 'page' && page.models.map(({ key }) => key).toSorted()).toEqual(
      placed.map(({ orderId }) => orderId).toSorted(),
    );
    expect(upsert).toMatchObject({ kind: 'upsert', key: placed[0]!.orderId, model: { status: 'cancelled' } });
    await noStreams();
  });

  it('are read from chunks that end anywhere, with other line endings', async () => {
    const encoder = new TextEncoder();
    const split: typeof fetch = async (...request) => {
      const response = await fetch(...request);
      const decoder = new TextDecoder();
      const bytes = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          const text = decoder.decode(chunk, { stream: true }).replaceAll('\n', '\r\n');
          for (const byte of encoder.encode(text)) controller.enqueue(Uint8Array.of(byte));
        },
      });
      return new Response(response.body!.pipeThrough(bytes), response);
    };
    await client().createOrder({ ...orderOf(1), customerName: 'Zoë 🫖' });
    const { calls, shows } = watched(client({ fetch: split }));
    await shows(1);
    expect(calls[0]![0]!.customerName).toBe('Zoë 🫖');
    await client().createOrder(orderOf(2));
    await shows(1, 2);
  });

  it('end when the iterator is returned while it waits', async () => {
    const changes = client().orders.live()[Symbol.asyncIterator]();
    expect((await changes.next()).value).toEqual({ kind: 'page', models: [] });
    const pending = changes.next();
    await changes.return!();
    expect(await pending).toEqual({ done: true, value: undefined });
    await noStreams();
  });

  it('end with the reason of an aborted signal', async () => {
    const reason = new Error('The page was closed.');
    const controller = new AbortController();
    const iterate = async (): Promise<void> => {
      for await (const { kind } of client().orders.live({}, { signal: controller.signal })) {
        expect(kind).toBe('page');
        queueMicrotask(() => controller.abort(reason));
      }
    };
    await expect(iterate()).rejects.toBe(reason);
    await noStreams();
    await expect(iterate()).rejects.toBe(reason);
  });

  it('throw the problem that the service answers with', async () => {
    token = await tokenFor('eve', { tenant_id: 'live-without-roles' });
    const { ended } = client().orders.watch({}, () => {});
    await expect(ended).rejects.toMatchObject({ name: 'RequestError', status: 403 });
    served.proxy.fail({ status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Welcome</h1>' });
    await expect(client().orders.watch({}, () => {}).ended).rejects.toThrow('not an event stream');
    served.proxy.fail('cut before', 'cut before');
    const unreachable = client({ retries: 1 }).orders.watch({}, () => {}).ended;
    await expect(unreachable).rejects.toBeInstanceOf(RequestError);
    expect(served.proxy.arrived).toHaveLength(2);
  });

  it('use a new token after a 401', async () => {
    const rejected: (string | undefined)[] = [];
    const own = client({ token: (old) => (rejected.push(old), old === undefined ? 'expired' : token) });
    await watched(own).shows();
    expect(rejected).toEqual([undefined, 'expired']);
  });
});
