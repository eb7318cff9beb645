/** The generated client as a module: its types, its size, and the runtimes that it runs on. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { problemTypes, problemUrn, type ProblemName } from '@svc/http';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { open, startBrowser } from '../pages/watched-page.js';
import { ClientFolder, ordersClient } from './compiled-module.js';
import { clerkOf, startOrders, type OrdersOnSqlite } from './orders-on-sqlite.js';
import { servePage } from './page-with-api.js';

let folder: ClientFolder;
let served: OrdersOnSqlite;
beforeAll(async () => {
  folder = new ClientFolder();
  served = await startOrders();
});
afterAll(async () => {
  folder.remove();
  await served.stop();
});

/** Places an order and reads it; every line with an expected error has a type that the service does not have. */
const caller = `import {
  createClient, createOrder, decimal, orders, payOrder, resultOf, uuid, type OrderSummary,
} from './orders-client.EXTENSION';

export async function placeOrder(url: string, token: string): Promise<string> {
  const client = createClient({ url, token: () => token }, { createOrder, payOrder, orders });
  const shippingAddress = { street: '1 Main St', city: 'Springfield', state: 'IL', zipCode: '62701' };
  const lineItems = [{ productId: 'tea', quantity: 2, unitPrice: decimal('3.50') }];
  const customerId = uuid('0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d');
  const { orderId } = await client.createOrder({ customerId, lineItems, shippingAddress, note: undefined });
  const order: OrderSummary | null = await client.orders.find(orderId);
  const names: string[] = [];
  for await (const { status, placedAt } of client.orders.all({ where: { status: { in: ['open'] } }, sort: '-placedAt' })) {
    names.push(status + placedAt.getUTCFullYear().toString().length);
  }
  const paid = await resultOf(client.payOrder({ orderId, amount: decimal('0'), cardToken: '' }));
  const problem = paid.ok ? paid.value.status : (paid.error.detailAt('/cardToken') ?? paid.error.type);
  return [order?.pieces, ...names, problem].join(', ');
}
`;

const mistakes = `import { cancelOrder, createClient, decimal, orders, payOrder, uuid } from './orders-client.js';

const client = createClient({ url: '' }, { cancelOrder, orders });
const orderId = uuid('0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d');
// @ts-expect-error An id is not any text.
await client.cancelOrder({ orderId: 'abc', reason: '' });
// @ts-expect-error A required property is missing.
await client.cancelOrder({ orderId });
// @ts-expect-error null is not undefined.
await client.cancelOrder({ orderId: null, reason: '' });
// @ts-expect-error The command was not passed to the client.
await client.payOrder({ orderId, amount: decimal('1'), cardToken: '' });
// @ts-expect-error A status that orders do not have.
await client.orders.list({ where: { status: 'lost' } });
// @ts-expect-error A property that is not indexed.
await client.orders.list({ sort: 'pieces' });
// @ts-expect-error A model can be missing.
(await client.orders.find(orderId)).status;
// @ts-expect-error A decimal is not a number.
createClient({ url: '' }, { payOrder }).payOrder({ orderId, amount: 1, cardToken: '' });
export {};
`;

const output = '2, open4, must have at least 1 character';

describe('the types', () => {
  it.each([
    ['browsers', { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom', 'dom.iterable'], types: [] }],
    ['Node', { module: 'nodenext', lib: ['es2022'], types: ['node'] }],
  ])('compile under the strictest options for %s', (_runtime, options) => {
    folder.write('caller.ts', caller.replace('EXTENSION', 'js'));
    folder.write('mistakes.ts', mistakes);
    expect(folder.compile(options)).toBe('');
  });

  it('name every problem of the service, and no other', () => {
    const named = [...readFileSync(ordersClient, 'utf8').matchAll(/^ {2}\| '(urn:svc:problem:[a-z-]+)'/gm)];
    const all = (Object.keys(problemTypes) as ProblemName[]).map(problemUrn);
    expect(new Set(named.map(([, urn]) => urn))).toEqual(new Set(all));
  });
});

async function bundled(code: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: folder.directory, loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    logLevel: 'error',
  });
  return outputFiles[0]!.text;
}

describe('a bundle', () => {
  it('has only the operations that are used', async () => {
    const text = await bundled(`import { createClient, payOrder } from './orders-client.js';
      export const client = createClient({ url: '/api' }, { payOrder });`);
    expect(text).toContain('/orders/pay');
    expect(text).not.toContain('/orders/cancel');
    expect(text).not.toContain('afterEvent');
    expect(gzipSync(text).length).toBeLessThan(2_000);
  });

  it('has live models only if they are used', async () => {
    const bundle = (used: string): Promise<string> =>
      bundled(`import { createClient, live, orders } from './orders-client.js';
        export const client = createClient({ url: '/api' }, { orders: ${used} });`);
    const withoutLive = await bundle('orders');
    expect(withoutLive).not.toContain('event-stream');
    expect(gzipSync(withoutLive).length).toBeLessThan(3_000);
    expect(await bundle('live(orders)')).toContain('text/event-stream');
  });

  it('has GraphQL and documents only if they are used', async () => {
    const commands = await bundled(`import { createClient, payOrder } from './orders-client.js';
      import { OrderList } from './orders-documents.js';
      export const client = createClient({ url: '/api' }, { payOrder });`);
    expect(commands).not.toContain('graphql');
    const queries = await bundled(`import { createClient, query } from './orders-client.js';
      import { OrderList } from './orders-documents.js';
      export const list = () => createClient({ url: '/api' }, { query }).query(OrderList);`);
    expect(queries).toContain('query OrderList');
    expect(queries).not.toContain('mutation PayOrder');
    expect(queries).not.toContain('idempotency-key');
    expect(gzipSync(queries).length).toBeLessThan(3_000);
  });

  it('of all operations is small', async () => {
    const text = await bundled(`import { createClient, operations } from './orders-client.js';
      export const client = createClient({ url: '/api' }, operations);`);
    expect(gzipSync(text).length).toBeLessThan(5_000);
  });
});

describe('the module runs', () => {
  it('in Chromium', async () => {
    const script = await bundled(`import { placeOrder } from './caller.js';
      const { token } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
      placeOrder('/api/', token).then((text) => (document.title = text), (error) => (document.title = String(error)));`);
    const { address, stop } = await servePage(script, served.url);
    const browser = await startBrowser();
    try {
      const { page, complaints } = await open(browser, `${address}#token=${await clerkOf('chromium')}`);
      await expect.poll(() => page.title(), { timeout: 30_000 }).toBe(output);
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
      stop();
    }
  });

  const stripsTypes = (process.features as { typescript?: unknown }).typescript === 'strip';

  it.runIf(stripsTypes)('on Node without a compiler', async () => {
    folder.write('direct.ts', caller.replace('EXTENSION', 'ts'));
    const program = folder.write(
      'direct.mjs',
      `import { placeOrder } from './direct.ts'; console.log(await placeOrder(...process.argv.slice(2)));`,
    );
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [
      program,
      served.url,
      await clerkOf('node'),
    ]);
    expect([stdout, stderr]).toEqual([`${output}\n`, '']);
  });
});
