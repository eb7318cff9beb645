/** Projects that call the same 500 commands: with the client of svc, with Hono RPC and with tRPC. The code around the calls is the same. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { moveToTrash } from '../generator/trash.mjs';

const commandsPerFile = 20;

/** The types of a command, without the brands of svc, which the peers do not have. @param {number} n */
const types = (n) => `
export interface ChangeThing${n} {
  thingId: string;
  parts: Part${n}[];
  size: 'small' | 'middle' | 'large';
  target: Target${n};
  remark?: string;
}
export interface Part${n} { partId: string; quantity: number; price: string; labels: string[] }
export interface Place${n} { kind: 'place'; street: string; city: string; floor: number | null }
export type Target${n} = Place${n} | { kind: 'person'; personId: string; size: 'small' | 'middle' | 'large' };
export interface ThingChanged${n} { thingId: string; version: number; parts: Part${n}[] }
`;

/** The same as schemas that validate, as svc does. @param {number} n */
const schemas = (n) => `
const size${n} = z.enum(['small', 'middle', 'large']);
const part${n} = z.object({ partId: z.uuid(), quantity: z.int().min(1), price: z.string(), labels: z.array(z.string()) });
const place${n} = z.object({ kind: z.literal('place'), street: z.string(), city: z.string(), floor: z.number().nullable() });
const person${n} = z.object({ kind: z.literal('person'), personId: z.uuid(), size: size${n} });
const changeThing${n} = z.object({
  thingId: z.uuid(),
  parts: z.array(part${n}),
  size: size${n},
  target: z.discriminatedUnion('kind', [place${n}, person${n}]),
  remark: z.string().max(200).optional(),
});
export interface ThingChanged${n} { thingId: string; version: number; parts: z.infer<typeof part${n}>[] }
`;

/** @param {string} id @param {string} price */
const request = (id, price) =>
  `{ thingId: ${id}, parts: [{ partId: ${id}, quantity: 2, price: ${price}, labels: ['a'] }], size: 'small', target: { kind: 'person', personId: ${id}, size: 'large' } }`;

/** @typedef {readonly (readonly number[])[]} Areas the numbers of the commands, by module */

/**
 * @typedef {object} Kind
 * @property {(areas: Areas) => Record<string, string>} server the files that callers import types from
 * @property {string} head of a file with calls
 * @property {(n: number) => string} call an expression with the result
 */

/** @param {boolean} validates @returns {Kind} */
const hono = (validates) => ({
  server: (areas) => ({
    ...modules(areas, (area, i) => [
      "import { Hono } from 'hono';",
      validates
        ? "import { zValidator } from '@hono/zod-validator';\nimport { z } from 'zod';\nimport { requireSuccess } from './require-success.js';"
        : "import { validator } from 'hono/validator';",
      ...area.map(validates ? schemas : types),
      `export const area${i} = new Hono()`,
      ...area.map((n) => {
        const check = validates
          ? `zValidator('json', changeThing${n}, requireSuccess)`
          : `validator('json', (value) => value as ChangeThing${n})`;
        return `  .post('/things/${n}/change', ${check}, (context) => {
    const { thingId, parts } = context.req.valid('json');
    return context.json<ThingChanged${n}>({ thingId, version: 1, parts });
  })`;
      }),
    ]),
    // Otherwise the type of every result would include that of the validation error.
    'require-success.ts': `export function requireSuccess({ success }: { success: boolean }): void {
  if (!success) throw new Error('The request is invalid.');
}`,
    'server.ts': `import { Hono } from 'hono';
${imports(areas)}
const app = new Hono()${areas.map((_, i) => `\n  .route('/', area${i})`).join('')};
export type AppType = typeof app;`,
  }),
  head: `import { hc } from 'hono/client';
import type { AppType } from './server.js';
const client = hc<AppType>('http://localhost');
const id = '0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d';`,
  call: (n) => `await (await client.things['${n}'].change.$post({ json: ${request('id', "'1'")} })).json()`,
});

/** @param {boolean} validates @returns {Kind} */
const trpc = (validates) => ({
  server: (areas) => ({
    'base.ts': "import { initTRPC } from '@trpc/server';\nexport const base = initTRPC.create();",
    ...modules(areas, (area, i) => [
      "import { base } from './base.js';",
      ...(validates ? ["import { z } from 'zod';"] : []),
      ...area.map(validates ? schemas : types),
      `export const area${i} = {`,
      ...area.map((n) => {
        const check = validates ? `changeThing${n}` : `(value: unknown) => value as ChangeThing${n}`;
        return `  changeThing${n}: base.procedure
    .input(${check})
    .mutation(({ input: { thingId, parts } }): ThingChanged${n} => ({ thingId, version: 1, parts })),`;
      }),
      '};',
    ]),
    'server.ts': `import { base } from './base.js';
${imports(areas)}
const app = base.router({ ${areas.map((_, i) => `...area${i}`).join(', ')} });
export type AppType = typeof app;`,
  }),
  head: `import { createTRPCClient, httpLink } from '@trpc/client';
import type { AppType } from './server.js';
const client = createTRPCClient<AppType>({ links: [httpLink({ url: 'http://localhost' })] });
const id = '0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d';`,
  call: (n) => `await client.changeThing${n}.mutate(${request('id', "'1'")})`,
});

/** @type {Readonly<Record<string, Kind>>} */
const kinds = {
  svc: {
    // `svc generate` writes the client.
    server: () => ({}),
    head: `import { createClient, decimal, operations, uuid } from './synthetic-client.js';
const client = createClient({ url: 'http://localhost' }, operations);
const id = uuid('0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d');`,
    call: (n) => `await client.changeThing${n}(${request('id', "decimal('1')")})`,
  },
  hono: hono(true),
  trpc: trpc(true),
  'hono-types': hono(false),
  'trpc-types': trpc(false),
  empty: { server: () => ({}), head: 'export const empty = [];', call: () => '{ version: 1 }' },
};

/** @param {Areas} areas @param {(area: readonly number[], i: number) => string[]} lines */
function modules(areas, lines) {
  return Object.fromEntries(areas.map((area, i) => [`area-${i}.ts`, lines(area, i).join('\n')]));
}

/** @param {Areas} areas */
function imports(areas) {
  return areas.map((_, i) => `import { area${i} } from './area-${i}.js';`).join('\n');
}

const tsconfig = {
  compilerOptions: {
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ['src'],
};

/**
 * Replaces `folder` by a project whose files call every command and use its result.
 *
 * @param {string} folder
 * @param {string} name
 * @param {number} commandCount
 */
export function writeProject(folder, name, commandCount) {
  const kind = kinds[name];
  if (kind === undefined) throw new RangeError(name);
  /** @type {Areas} */
  const areas = Array.from({ length: commandCount / commandsPerFile }, (_, area) =>
    Array.from({ length: commandsPerFile }, (_unused, i) => area * commandsPerFile + i),
  );
  moveToTrash(folder);
  mkdirSync(join(folder, 'src'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  for (const [file, text] of Object.entries(kind.server(areas))) writeFileSync(join(folder, 'src', file), text);
  for (const [i, area] of areas.entries()) {
    const calls = area.map((n) => `export const version${n}: number = (${kind.call(n)}).version;`);
    writeFileSync(join(folder, 'src', `calls-${i}.ts`), [kind.head, ...calls].join('\n'));
  }
}
