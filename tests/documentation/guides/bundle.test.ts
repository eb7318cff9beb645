/** Bundles the reference service as docs/guides/deployment.md says, and uses the bundle in a folder that contains nothing else. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { newId } from '@svc/core';
import type { PageFile } from '@svc/http/hosting';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { Guide, Running, runInShell } from './guide.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const hasSqlite = process.getBuiltinModule('node:sqlite') !== undefined;
const folder = mkdtempSync(join(tmpdir(), 'svc-bundle-'));
const program = join(folder, 'bundle/main.mjs');
let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
  const block = new Guide('deployment.md').blocks.find(({ text }) => text.startsWith('npx esbuild'))!;
  runInShell(block.text.replace(' dist/', ` ${join(root, 'examples/orders/dist')}/`), folder);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await database.remove();
});

/** Installs the package that the guide names for versions of Node without SQLite. */
function installSqlite(): void {
  if (hasSqlite) return;
  mkdirSync(join(folder, 'bundle/node_modules/@svc'), { recursive: true });
  symlinkSync(join(root, 'packages/sqlite-node20'), join(folder, 'bundle/node_modules/@svc/sqlite-node20'));
}

const order = {
  customerId: newId(),
  lineItems: [{ productId: 'tea', quantity: 2, unitPrice: '3.50' }],
  shippingAddress: { street: '1 Main St', city: 'Springfield', state: 'IL', zipCode: '62701' },
};

async function post(url: string, body: unknown): Promise<Response> {
  return await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** The files that a page loads, by their names. */
async function filesOf(address: string): Promise<Record<string, string>> {
  const page = await (await fetch(address, { headers: { accept: 'text/html' } })).text();
  const links = [...page.matchAll(/(?:href|src)="([^":]+)"/g)].map(([, link]) => new URL(link!, address));
  const files: Record<string, string> = {};
  for (const link of links.filter(({ pathname }) => !pathname.endsWith('.json'))) {
    const response = await fetch(link);
    expect([link.href, response.status]).toEqual([link.href, 200]);
    files[basename(link.pathname)] = await response.text();
  }
  return files;
}

/** The same files as the build has written them. */
async function builtFiles(module: string): Promise<Record<string, string>> {
  const { files } = (await import(join(root, module))) as { files: Record<string, PageFile> };
  const texts = Object.entries(files).map(([name, { gzip }]) => [
    name,
    gunzipSync(Buffer.from(gzip, 'base64')).toString(),
  ]);
  return Object.fromEntries(texts) as Record<string, string>;
}

it.runIf(!hasSqlite)('a bundled service on a Node without SQLite names the package that is missing', () => {
  const { status, stderr } = spawnSync(process.execPath, [program], { cwd: folder, encoding: 'utf8' });
  expect(stderr).toContain('"@svc/sqlite-node20" is not installed. Use Node 22.13 or later');
  expect(status).toBe(1);
});

describe.each(['SQLite', 'PostgreSQL'])('a bundled service on %s', (storage) => {
  let service: Running;

  beforeAll(async () => {
    if (storage === 'SQLite') installSqlite();
    const variables: Record<string, string> = storage === 'PostgreSQL' ? { DATABASE_URL: database.url } : {};
    service = await Running.start([program], folder, variables);
  });
  afterAll(async () => void (await service.end()));

  it('stores orders over REST and GraphQL, and serves their models', async () => {
    const placed = await post(`${service.url}/orders`, order);
    expect(placed.status).toBe(200);
    const { orderId } = (await placed.json()) as { orderId: string };
    const lastEvent = placed.headers.get('svc-last-event');
    const read = await fetch(`${service.url}/orders/${orderId}?afterEvent=${lastEvent}`);
    expect(await read.json()).toMatchObject({ orderId });

    const query = 'mutation ($command: CreateOrderInput!) { createOrder(command: $command) { orderId } }';
    const created = await post(`${service.url}/graphql`, { query, variables: { command: order } });
    expect(await created.json()).toEqual({ data: { createOrder: { orderId: expect.any(String) as string } } });
  });

  it('serves the explorer and the API page with their files', async () => {
    const explorer = await builtFiles('packages/graphql/dist/browser/explorer.js');
    expect(Object.keys(explorer)).toHaveLength(2);
    expect(await filesOf(`${service.url}/graphql`)).toEqual(explorer);
    expect(await filesOf(`${service.url}/docs`)).toEqual(await builtFiles('packages/http/dist/browser/api-page.js'));
  });

  it('serves the OpenAPI document and its health', async () => {
    expect(await (await fetch(`${service.url}/openapi.json`)).json()).toHaveProperty(['paths', '/orders']);
    const { status } = await fetch(`${service.url}/health/ready`);
    expect(status).toBe(200);
  });
});
