/** The generated client of examples/orders in Bun and Deno, without a compiler, against the service behind a proxy that fails on request. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClientFolder } from '../../client/compiled-module.js';
import { clerkOf, startOrders, type OrdersOnSqlite } from '../../client/orders-on-sqlite.js';
import { programOf } from './program-of.js';

/** Prints the result of a scenario as JSON. */
const program = `
import { createClient, decimal, live, mutate, operations, orders, query, resultOf, uuid } from './orders-client.ts';
import { graphql, OrderList, PayOrder } from './orders-documents.ts';

const [scenario, url, token] = process.argv.slice(2);
const client = createClient({ url, token: () => token, retryDelayMs: 5 }, { ...operations, orders: live(orders), query, mutate });
const place = (quantity) =>
  client.createOrder({
    customerId: uuid('0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d'),
    lineItems: [{ productId: 'tea', quantity, unitPrice: decimal('3.50') }],
    shippingAddress: { street: '1 Main St', city: 'Springfield', state: 'IL', zipCode: '62701' },
  });
const print = (value) => console.log(JSON.stringify(value));

if (scenario === 'commands') {
  const { orderId } = await place(1);
  await place(2);
  const pieces = [];
  for await (const order of client.orders.all({ sort: 'placedAt', pageSize: 1 })) pieces.push(order.pieces);
  const found = await client.orders.find(orderId);
  const failed = await resultOf(client.payOrder({ orderId, amount: decimal('0'), cardToken: '' }));
  print([pieces, found.placedAt instanceof Date, failed.error.type, failed.error.detailAt('/cardToken')]);
} else if (scenario === 'documents') {
  const { orderId } = await place(1);
  const { payOrder } = await client.mutate(PayOrder, { command: { orderId, amount: decimal('3.50'), cardToken: 'tok_visa' } });
  const [order] = (await client.query(OrderList, { status: 'paid' })).orders.items;
  const again = await resultOf(client.mutate(PayOrder, { command: { orderId, amount: decimal('3.50'), cardToken: 'tok_visa' } }));
  print([payOrder.__typename, order.placedAt instanceof Date, order.paidAmount, again.error.type, again.error.failures.length]);
} else {
  const watch = client.orders.watch({ sort: 'placedAt' }, (shown) => print(shown.map(({ pieces }) => pieces)));
  process.stdin.setEncoding('utf8');
  for await (const line of process.stdin) {
    if (line.startsWith('stop')) break;
    await place(Number(line));
  }
  watch.stop();
  await watch.ended;
  print('ended');
  process.exit(0);
}
`;

const runtimes = [
  ['Bun', () => [programOf('@oven', 'bin/bun'), 'run']],
  // --no-remote: it imports nothing from the network.
  ['Deno', () => [programOf('@deno', 'deno'), 'run', '-A', '--no-remote']],
] as const;

describe.each(runtimes)('The client in %s', (name, command) => {
  const folder = new ClientFolder();
  const file = folder.write('program.ts', program);
  let served: OrdersOnSqlite;
  let tenants = 0;
  beforeAll(async () => (served = await startOrders()));
  afterAll(async () => {
    await served.stop();
    folder.remove();
  });

  const argumentsOf = async (scenario: string): Promise<string[]> => {
    const [, ...options] = command();
    return [...options, file, scenario, served.url, await clerkOf(`${name}-${++tenants}`)];
  };
  const run = async (scenario: string): Promise<unknown> => {
    const { stdout } = await promisify(execFile)(command()[0]!, await argumentsOf(scenario), { timeout: 60_000 });
    return JSON.parse(stdout);
  };

  it('sends commands and reads lists, with types of errors', async () => {
    expect(await run('commands')).toEqual([
      [1, 2],
      true,
      'urn:svc:problem:invalid-request',
      'must have at least 1 character',
    ]);
  });

  it('retries what received no response', async () => {
    served.proxy.fail('cut after', { status: 503, headers: { 'retry-after': '0' } }, 'cut before');
    expect(await run('commands')).toEqual(expect.arrayContaining([[1, 2]]));
    const keys = served.proxy.arrived.slice(0, 4).map(({ headers }) => headers['idempotency-key']);
    expect([new Set(keys).size, keys[0]?.length]).toEqual([1, 32]);
  });

  it('sends GraphQL documents', async () => {
    const rejected = 'urn:svc:problem:command-rejected';
    expect(await run('documents')).toEqual(['PaymentDone', true, '3.50', rejected, 1]);
  });

  it('follows a live list, also after its connection is lost', { timeout: 60_000 }, async () => {
    const child = spawn(command()[0]!, await argumentsOf('live'), { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines: unknown[] = [];
    createInterface(child.stdout).on('line', (line) => lines.push(JSON.parse(line)));
    try {
      await expect.poll(() => lines.at(-1), { timeout: 30_000 }).toEqual([]);
      child.stdin.write('1\n');
      await expect.poll(() => lines.at(-1), { timeout: 30_000 }).toEqual([1]);
      served.proxy.cutStreams();
      child.stdin.write('2\n');
      await expect.poll(() => lines.at(-1), { timeout: 30_000 }).toEqual([1, 2]);
      child.stdin.write('stop\n');
      await expect.poll(() => lines.at(-1), { timeout: 30_000 }).toBe('ended');
    } finally {
      if (child.exitCode === null) {
        child.kill();
        await once(child, 'exit');
      }
    }
  });
});
