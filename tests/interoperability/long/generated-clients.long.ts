/** Clients that are generated from the served OpenAPI document: they compile, reject wrong uses, and work. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHost, type OrdersHost } from '../../../examples/orders/src/host.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const installed = fileURLToPath(new URL('node_modules', import.meta.url));

/** What each client below exports: creates an order, reads it, and returns its status and the status of an invalid request. */
interface Usage {
  tryOut(baseUrl: string): Promise<{ readonly read: unknown; readonly rejected: unknown }>;
}

const order = `{
    customerId: '0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d',
    lineItems: [{ productId: 'tea', quantity: 2, unitPrice: '3.50' }],
    shippingAddress: { street: '1 Main St', city: 'Springfield', state: 'IL', zipCode: '62701' },
  }`;

const withOpenapiFetch = `
import createClient from 'openapi-fetch';
import type { paths } from './schema.js';

export async function tryOut(baseUrl: string): Promise<{ read: string | undefined; rejected: number | undefined }> {
  const client = createClient<paths>({ baseUrl });
  const body = ${order};
  const { data, response } = await client.POST('/orders', { body });
  const afterEvent = response.headers.get('svc-last-event')!;
  const params = { path: { id: data!.orderId }, query: { afterEvent } };
  const read = await client.GET('/orders/{id}', { params });
  const rejected = await client.POST('/orders', { body: { ...body, lineItems: [] } });
  return { read: read.data?.status, rejected: rejected.error?.status };
}

export const wrong = (client: ReturnType<typeof createClient<paths>>): unknown[] => [
  // @ts-expect-error: the body is incomplete
  client.POST('/orders', { body: { customerId: 'x' } }),
  // @ts-expect-error: the path is unknown
  client.GET('/nowhere', {}),
  // @ts-expect-error: the key is missing
  client.GET('/orders/{id}', {}),
];
`;

const withHeyApi = `
import { createClient } from './hey-api/client/index.js';
import { createOrder, getOrderSummaryPerspective } from './hey-api/sdk.gen.js';

export async function tryOut(baseUrl: string): Promise<{ read: string | undefined; rejected: number | undefined }> {
  const client = createClient({ baseUrl });
  const body = ${order};
  const { data, response } = await createOrder({ client, body });
  const afterEvent = response!.headers.get('svc-last-event')!;
  const read = await getOrderSummaryPerspective({ client, path: { id: data!.orderId }, query: { afterEvent } });
  const rejected = await createOrder({ client, body: { ...body, lineItems: [] } });
  return { read: read.data?.status, rejected: rejected.error?.status };
}

export const wrong = (): unknown[] => [
  // @ts-expect-error: the body is incomplete
  createOrder({ body: { customerId: 'x' } }),
  // @ts-expect-error: the key is missing
  getOrderSummaryPerspective({}),
];
`;

const withOrval = `
import { createOrder, getOrderSummaryPerspective } from './orval.js';

export async function tryOut(baseUrl: string): Promise<{ read: string | undefined; rejected: number }> {
  // Its functions have relative addresses: an application has one host, or a proxy.
  const { fetch } = globalThis;
  globalThis.fetch = (path, init) => fetch(baseUrl + String(path), init);
  try {
    const body = ${order};
    const created = await createOrder(body);
    const { orderId } = created.status === 200 ? created.data : { orderId: '' };
    const afterEvent = created.headers.get('svc-last-event')!;
    const read = await getOrderSummaryPerspective(orderId, { afterEvent });
    const rejected = await createOrder({ ...body, lineItems: [] });
    return { read: read.status === 200 ? read.data.status : undefined, rejected: rejected.status };
  } finally {
    globalThis.fetch = fetch;
  }
}

export const wrong = (): unknown[] => [
  // @ts-expect-error: the body is incomplete
  createOrder({ customerId: 'x' }),
  // @ts-expect-error: the key is missing
  getOrderSummaryPerspective(),
];
`;

let host: OrdersHost;
let url: string;
let folder: string;
beforeAll(async () => {
  host = await createHost({ notifier: { notify: () => Promise.resolve() } });
  url = await host.app.listen({ host: '127.0.0.1', port: 0 });
  mkdirSync(join(root, '.cache'), { recursive: true });
  folder = mkdtempSync(join(root, '.cache', 'clients-'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'openapi.json'), await (await fetch(`${url}/openapi.json`)).text());
});
afterAll(async () => {
  await host.app.close();
  rmSync(folder, { recursive: true, force: true });
});

function run(script: string, ...args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { cwd: folder, encoding: 'utf8' });
  expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, '']);
}

const flags = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--types', ''];
const library = ['--lib', 'es2023,dom,dom.iterable', '--module', 'nodenext'];

async function expectToWork(name: string, usage: string, ...compilerFlags: readonly string[]): Promise<void> {
  const file = join(folder, name);
  writeFileSync(file, usage);
  run(join(root, 'node_modules/typescript/bin/tsc'), ...flags, ...compilerFlags, file);
  const client = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Usage;
  expect(await client.tryOut(url)).toEqual({ read: 'open', rejected: 400 });
}

it('openapi-typescript generates types for openapi-fetch', async () => {
  run(join(installed, 'openapi-typescript/bin/cli.js'), 'openapi.json', '--output', 'schema.d.ts');
  await expectToWork('with-openapi-fetch.ts', withOpenapiFetch, ...library);
});

it('hey-api generates a client', async () => {
  const args = ['--input', 'openapi.json', '--output', 'hey-api', '--client', '@hey-api/client-fetch', '--no-log-file'];
  run(join(installed, '@hey-api/openapi-ts/bin/run.js'), ...args);
  await expectToWork('with-hey-api.ts', withHeyApi, ...library);
});

it('orval generates a client', async () => {
  run(
    join(installed, 'orval/dist/bin/orval.js'),
    '--input',
    'openapi.json',
    '--output',
    'orval.ts',
    '--client',
    'fetch',
  );
  await expectToWork('with-orval.ts', withOrval, ...library);
});
