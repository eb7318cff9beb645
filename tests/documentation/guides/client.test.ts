/** Compiles the code of docs/guides/client.md under the strictest flags, and runs it against the reference service. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ClientFolder } from '../../client/compiled-module.js';
import { clerkOf, startOrders, type OrdersOnSqlite } from '../../client/orders-on-sqlite.js';
import { Guide } from './guide.js';

interface Order {
  readonly orderId: string;
  readonly status: string;
}

interface Code {
  readonly placeOrder: (url: string, token: () => Promise<string>) => Promise<Order | null>;
  readonly openOrders: (url: string, token: () => Promise<string>, since: Date) => Promise<Order[]>;
  readonly cancel: (url: string, token: () => Promise<string>, orderId: string, reason: string) => Promise<string>;
  readonly listOrders: (url: string, token: () => Promise<string>, status?: string) => Promise<readonly Order[]>;
  readonly pay: (url: string, token: () => Promise<string>, orderId: string, amount: string) => Promise<string>;
  readonly showOrders: (
    url: string,
    token: () => Promise<string>,
    show: (orders: readonly Order[]) => void,
  ) => { stop(): void; readonly ended: Promise<void> };
}

const folder = new ClientFolder('api');
const { files, blocks } = new Guide('client.md');
let served: OrdersOnSqlite;
let code: Code;
const token = (): Promise<string> => clerkOf('guide');

beforeAll(async () => {
  const modules: object[] = [];
  for (const [path, text] of Object.entries(files)) {
    modules.push((await import(folder.write(path.replace('src/', ''), text))) as object);
  }
  code = Object.assign({}, ...modules) as Code;
  served = await startOrders();
});
afterAll(async () => {
  await served.stop();
  folder.remove();
});

it('compiles under the strictest flags', () => {
  expect(Object.keys(files)).toHaveLength(blocks.filter(({ language }) => language === 'ts').length);
  expect(folder.compile({ module: 'nodenext', lib: ['es2022'], types: ['node'] })).toBe('');
});

it('places an order and reads it', async () => {
  expect(await code.placeOrder(served.url, token)).toMatchObject({ status: 'open' });
});

it('reads lists', async () => {
  const placed = await code.placeOrder(served.url, token);
  const found = await code.openOrders(served.url, token, new Date(0));
  expect(found.map(({ orderId }) => orderId)).toContain(placed?.orderId);
});

it('pays and lists orders over GraphQL', async () => {
  const { orderId } = (await code.placeOrder(served.url, token))!;
  expect(await code.pay(served.url, token, orderId, '7.00')).toMatch(/^payment-/);
  await expect
    .poll(async () => (await code.listOrders(served.url, token, 'paid')).map((order) => order.orderId), {
      timeout: 30_000,
    })
    .toContain(orderId);
});

it('shows orders as they change', async () => {
  let shown: readonly Order[] = [];
  const watch = code.showOrders(served.url, token, (orders) => (shown = orders));
  const placed = await code.placeOrder(served.url, token);
  await expect.poll(() => shown.map(({ orderId }) => orderId), { timeout: 30_000 }).toContain(placed?.orderId);
  watch.stop();
  await watch.ended;
});

it('handles errors by their type', async () => {
  const { orderId } = (await code.placeOrder(served.url, token))!;
  expect(await code.cancel(served.url, token, orderId, '')).toBe('The reason must have at least 1 character.');
  expect(await code.cancel(served.url, token, orderId, 'Ordered twice')).toBe('Cancelled.');
  expect(await code.cancel(served.url, token, orderId, 'Again')).toBe('The order is already cancelled.');
  served.proxy.fail('cut before', 'cut before', 'cut before', 'cut before');
  expect(await code.cancel(served.url, token, orderId, 'Again')).toBe('The service cannot be reached.');
});
