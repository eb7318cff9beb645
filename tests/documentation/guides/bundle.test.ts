/** Bundles the reference service as docs/guides/deployment.md says, and uses the bundle in a folder that contains nothing else. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newId } from '@svc/core';
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
  mkdirSync(join(folder, 'bundle/node_modules/@photostructure'), { recursive: true });
  symlinkSync(
    join(root, 'node_modules/@photostructure/sqlite'),
    join(folder, 'bundle/node_modules/@photostructure/sqlite'),
  );
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

/** Every address that a page or script loads, resolved from its own. */
function linksOf(address: string, text: string): string[] {
  return [...text.matchAll(/(?:href|src)="([^"#]+)"|from '(\.[^']+)'/g)].map(
    ([, link, script]) => new URL((link ?? script)!, address).href,
  );
}

async function loaded(address: string, texts = new Map<string, string>()): Promise<Map<string, string>> {
  if (texts.has(address)) return texts;
  const response = await fetch(address, { headers: { accept: 'text/html, */*' } });
  expect([address, response.status]).toEqual([address, 200]);
  texts.set(address, await response.text());
  for (const link of linksOf(address, texts.get(address)!)) await loaded(link, texts);
  return texts;
}

it.runIf(!hasSqlite)('a bundled service on a Node without SQLite names the package that is missing', () => {
  const { status, stderr } = spawnSync(process.execPath, [program], { cwd: folder, encoding: 'utf8' });
  expect(stderr).toContain('"@photostructure/sqlite" is not installed. Use Node 22.13 or later');
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

  it('serves the explorer with its scripts and style as they are in the sources', async () => {
    const texts = await loaded(`${service.url}/graphql`);
    const names = ['explorer.css', 'explorer.js', 'credential-header.js', 'operation-skeleton.js'];
    const assets = names.map((name) => readFileSync(join(root, 'packages/graphql/assets', name), 'utf8'));
    expect([...texts.values()].slice(1)).toEqual(assets);
  });

  it('serves the API page, the OpenAPI document and its health', async () => {
    expect(await (await fetch(`${service.url}/docs`)).text()).toContain('/orders');
    expect(await (await fetch(`${service.url}/openapi.json`)).json()).toHaveProperty(['paths', '/orders']);
    const { status } = await fetch(`${service.url}/health/ready`);
    expect(status).toBe(200);
  });
});
