/** `svc generate --documents` in a front end of its own service: types, conversions over HTTP, drift and errors. */
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '@svc/cli';
import { createService, InMemoryStorage, type ServiceRegistry } from '@svc/core';
import { loadProject, watchProject, type SourceChanges } from '@svc/generator';
import { graphQL } from '@svc/graphql';
import { serve, type ServedHost } from '@svc/http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TemporaryProject } from '../generator/temporary-project.js';

const service = `
import { commandEndpoint, newId, perspective, type AppliedEvent, type Command, type Decimal, type Event, type Int, type Perspective, type Receptor, type ReceptorContext, type Uuid } from '@svc/core';

export interface Boxed { kind: 'boxed'; closedAt: Date; size: 'S' | 'M' }
export interface Loose { kind: 'loose'; pieces: Int; tags: Set<string> }
export type Packing = Boxed | Loose;

/** Stores an item. */
@commandEndpoint<StoreItem, Stored>({ graphQLMutation: 'storeItem', restRoute: '/items', allowAnonymous: true })
export class StoreItem implements Command {
  name!: string;
  price!: Decimal;
  bestBefore?: Date;
  packing!: Packing;
  days!: Record<string, Date>;
}
export interface Stored { itemId: Uuid; at: Date; packing: Packing }

export class ItemStored implements Event {
  constructor(readonly name: string, readonly price: Decimal, readonly bestBefore: Date | null, readonly packing: Packing, readonly days: Record<string, Date>) {}
}

export class StoreItemReceptor implements Receptor<StoreItem, Stored> {
  receive({ name, price, bestBefore, packing, days }: StoreItem, context: ReceptorContext): Stored {
    const itemId = newId();
    context.append(itemId, new ItemStored(name, price, bestBefore ?? null, packing, days));
    return { itemId, at: new Date('2026-01-31T12:00:00Z'), packing };
  }
}

export interface Item { itemId: Uuid; name: string; price: Decimal; bestBefore?: Date; packing: Packing; days: Record<string, Date> }

@perspective({ graphQLQuery: 'item', graphQLListQuery: 'items', indexed: ['name', 'bestBefore'], allowAnonymous: true })
export class ItemPerspective implements Perspective<Item, ItemStored> {
  apply(_: Item | null, { name, price, bestBefore, packing, days }: ItemStored, { streamId }: AppliedEvent): Item {
    return { itemId: streamId, name, price, ...(bestBefore !== null && { bestBefore }), packing, days };
  }
}
`;

const documents = `
fragment ItemRow on Item {
  itemId
  price
  packing { ...PackingParts }
}
fragment PackingParts on Packing {
  ... on Boxed { closedAt size }
  ... on Loose { tags }
}
query ItemsBefore($before: DateTime, $names: [String!], $withDays: Boolean!) {
  items(filter: { bestBefore: { lt: $before }, name: { in: $names } }, sort: "name") {
    items { ...ItemRow bestBefore days @include(if: $withDays) }
  }
}
`;

const caller = `
import { createClient, decimal, mutate, query, resultOf } from './api/shop-client.js';
import { graphql, ItemsBefore, type ItemRowFragment, type PackingPartsFragment } from './api/shop-documents.js';

const StoreItem = graphql(\`
  mutation StoreItem($command: StoreItemInput!) {
    storeItem(command: $command) { itemId at packing { ...PackingParts } }
  }
\`);
const OneItem = graphql("query OneItem($id: ID!) { item(id: $id) { ...ItemRow } missing: item(id: \\"none\\") { name } }");

export async function storeAndRead(url: string): Promise<unknown> {
  const client = createClient({ url }, { query, mutate });
  const days = { first: new Date('2026-02-01T00:00:00Z') };
  const { storeItem: boxed } = await client.mutate(StoreItem, {
    command: {
      name: 'a',
      price: decimal('0.10'),
      bestBefore: new Date('2027-01-01T00:00:00Z'),
      packing: { boxed: { closedAt: new Date('2026-01-01T00:00:00Z'), size: 'M' } },
      days,
    },
  });
  const { storeItem: loose } = await client.mutate(StoreItem, {
    command: { name: 'b', price: decimal('2'), packing: { loose: { pieces: 2, tags: new Set(['x', 'y']) } }, days },
  });
  const { item, missing } = await client.query(OneItem, { id: loose.itemId });
  const rows: (ItemRowFragment | null)[] = [item];
  const all = await client.query(ItemsBefore, { withDays: true });
  const early = await client.query(ItemsBefore, { before: new Date('2028-01-01T00:00:00Z'), names: ['a', 'b'], withDays: false });
  return { boxed, loose, rows, missing, all: all.items?.items, early: early.items?.items };
}

export function describePacking(packing: PackingPartsFragment): string {
  switch (packing.__typename) {
    case 'Boxed':
      return packing.size + packing.closedAt.getUTCFullYear();
    case 'Loose':
      return [...packing.tags].join();
  }
}

export async function mistakes(url: string): Promise<void> {
  const client = createClient({ url }, { query, mutate });
  // @ts-expect-error A variable is required.
  await client.query(OneItem);
  // @ts-expect-error A variable that the query does not have.
  await client.query(OneItem, { id: '1', name: 'x' });
  // @ts-expect-error A mutation is not a query.
  await client.query(StoreItem, {});
  // @ts-expect-error A field that is not selected.
  (await client.query(OneItem, { id: '1' })).item?.name;
  // @ts-expect-error A model can be missing.
  (await client.query(OneItem, { id: '1' })).item.price;
  // @ts-expect-error A condition can exclude the field.
  (await client.query(ItemsBefore, { withDays: false })).items?.items[0]?.days['first'];
  // @ts-expect-error A date is not a text.
  await client.query(ItemsBefore, { withDays: false, before: '2026-01-01' });
  const command = { name: '', price: decimal('1'), days: {} };
  // @ts-expect-error Exactly one key of a union.
  await client.mutate(StoreItem, { command: { ...command, packing: { boxed: { closedAt: new Date(), size: 'M' }, loose: { pieces: 1, tags: new Set<string>() } } } });
  // @ts-expect-error Another value of an enum.
  await client.mutate(StoreItem, { command: { ...command, packing: { boxed: { closedAt: new Date(), size: 'XL' } } } });
  const unseen = graphql;
  // @ts-expect-error A text that svc generate has not seen.
  unseen('query Other { items { next } }');
  // @ts-expect-error Options of commands.
  await client.query(OneItem, { id: '1' }, { idempotencyKey: 'x' });
  const result = await resultOf(client.query(ItemsBefore, { withDays: true }, { signal: AbortSignal.timeout(1_000) }));
  if (result.ok) result.value.items?.items.map(({ itemId }) => itemId);
}
`;

const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  isolatedModules: true,
  isolatedDeclarations: true,
  erasableSyntaxOnly: true,
  verbatimModuleSyntax: true,
  declaration: true,
  noEmit: true,
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: [],
};

const project = new TemporaryProject({
  'src/shop.ts': service,
  'web/items.graphql': documents,
  'web/caller.ts': caller,
});
project.write(
  'package.json',
  JSON.stringify({ name: 'shop', type: 'module', svc: { client: 'web/api', documents: 'web' } }),
);
project.write('web/tsconfig.json', JSON.stringify({ compilerOptions, include: ['**/*.ts'] }));
afterAll(() => project.remove());

const module = 'web/api/shop-documents.ts';

async function generate(...flags: string[]): Promise<{ code: number; out: string; error: string }> {
  const lines = { out: [] as string[], error: [] as string[] };
  const terminal = { out: (line: string) => lines.out.push(line), error: (line: string) => lines.error.push(line) };
  const code = await run(['generate', '--project', project.directory, ...flags], terminal);
  return { code, out: lines.out.join('\n'), error: lines.error.join('\n') };
}

beforeAll(async () => {
  const { code, error } = await generate();
  if (code !== 0) throw new Error(error);
});

describe('typed documents', () => {
  it('compile under the strictest options, and reject wrong variables and fields', () => {
    const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
    const { stdout } = spawnSync(process.execPath, [compiler, '-p', join(project.directory, 'web')], {
      encoding: 'utf8',
    });
    expect(stdout).toBe('');
  });

  it('convert dates, sets and unions on their way to the service and back', async () => {
    const { registry } = (await import(join(project.directory, 'src/generated/registry.ts'))) as {
      registry: ServiceRegistry<object>;
    };
    const stored = createService(registry)
      .addService()
      .addServicePerspectives()
      .allowEverybody()
      .useStorage(new InMemoryStorage());
    const host: ServedHost = await serve(stored, { port: 0, graphql: graphQL() });
    try {
      const web = (await import(join(project.directory, 'web/caller.ts'))) as {
        storeAndRead: (url: string) => Promise<unknown>;
        describePacking: (packing: unknown) => string;
      };
      const boxed = { __typename: 'Boxed', closedAt: new Date('2026-01-01T00:00:00Z'), size: 'M' };
      const loose = { __typename: 'Loose', tags: new Set(['x', 'y']) };
      const at = new Date('2026-01-31T12:00:00Z');
      const itemId = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
      const days = { first: new Date('2026-02-01T00:00:00Z') };
      const bestBefore = new Date('2027-01-01T00:00:00Z');
      const rowA = { itemId, price: '0.10', packing: boxed };
      const rowB = { itemId, price: '2', packing: loose };
      expect(await web.storeAndRead(host.url)).toEqual({
        boxed: { itemId, at, packing: boxed },
        loose: { itemId, at, packing: loose },
        rows: [rowB],
        missing: null,
        all: [
          { ...rowA, bestBefore, days },
          { ...rowB, bestBefore: null, days },
        ],
        early: [{ ...rowA, bestBefore }],
      });
      expect([web.describePacking(boxed), web.describePacking(loose)]).toEqual(['M2026', 'x,y']);
    } finally {
      await host.stop();
    }
  });
});

describe('svc generate', () => {
  const changed = caller.replace('{ itemId at packing', '{ itemId packing');

  it('reports with --check that documents have changed, and writes them again', async () => {
    expect(await generate('--check')).toMatchObject({ code: 0 });
    project.write('web/caller.ts', changed);
    expect(await generate('--check')).toMatchObject({
      code: 1,
      error: expect.stringMatching(/^different {2}\.\.\/web\/api\/shop-documents\.ts\n/) as string,
    });
    expect((await generate()).out).toContain(' 1 written');
    expect(await generate('--check')).toMatchObject({ code: 0 });
    rmSync(join(project.directory, module));
    expect(await generate('--check')).toMatchObject({ code: 1, error: expect.stringContaining('missing') as string });
  });

  it('reports errors in documents at their places, and writes nothing', async () => {
    project.write('web/caller.ts', changed.replace('{ itemId packing', '{ itemIdd packing'));
    rmSync(join(project.directory, module), { force: true });
    const { code, error } = await generate();
    expect([code, error]).toEqual([
      1,
      'web/caller.ts:7:36 SVC2202 Cannot query field "itemIdd" on type "Stored". Did you mean "itemId"? Change the document to match the schema of the service.\n\n1 problem; nothing was written. To read more, run svc explain SVC2202.',
    ]);
    expect(existsSync(join(project.directory, module))).toBe(false);
  });

  it('replaces no file that it has not written', async () => {
    project.write('web/caller.ts', changed);
    project.write(module, 'export const mine = 1;\n');
    expect(await generate()).toMatchObject({
      code: 1,
      error: expect.stringContaining(`${module}:1:1 SVC1407`) as string,
    });
    rmSync(join(project.directory, module));
  });

  it('watches documents and sources of the service', async () => {
    const settings = loadProject(project.directory);
    if ('code' in settings) throw new Error(settings.message);
    const changes: SourceChanges[] = [];
    const watcher = watchProject(settings, (files) => changes.push(files));
    try {
      project.write('web/notes.md', 'x');
      project.write('web/more/new.graphql', 'query New { items { next } }');
      await expect.poll(() => changes.length, { timeout: 30_000 }).toBeGreaterThan(0);
      const seen = changes.length;
      project.write('web/caller.ts', changed);
      await expect.poll(() => changes.length, { timeout: 30_000 }).toBeGreaterThan(seen);
      // Nothing of the service has changed.
      expect(changes.every((files) => files?.size === 0)).toBe(true);
      project.write('src/other.ts', 'export {};');
      await expect.poll(() => changes.at(-1)?.size, { timeout: 30_000 }).toBe(1);
    } finally {
      watcher.close();
      for (const path of ['web/more', 'src/other.ts']) rmSync(join(project.directory, path), { recursive: true });
    }
  });

  it('reads the folders of --documents instead of the setting', async () => {
    project.write('other/a.graphql', 'query OnlyOne { items { next } }');
    expect(await generate('--documents', join(project.directory, 'other'))).toMatchObject({ code: 0 });
    expect(project.read(module)).toContain('export const OnlyOne: QueryDocument<');
    expect(project.read(module)).not.toContain('StoreItem');
  });

  it('reports a folder that does not exist, and documents without a client', async () => {
    expect(await generate('--documents', join(project.directory, 'none'))).toMatchObject({
      code: 1,
      error: expect.stringMatching(/SVC1402 The folder \S*none does not exist\./) as string,
    });
    project.write('package.json', JSON.stringify({ name: 'shop', type: 'module', svc: { documents: ['web'] } }));
    expect(await generate()).toMatchObject({
      code: 1,
      error: expect.stringContaining('SVC1402 Typed documents are part of the client.') as string,
    });
  });
});
