import { describe, expect, it } from 'vitest';
import { imports, ServiceFixture } from './analysis/testing/service-fixture.js';
import { Generator } from './generator.js';

const command = (name: string, properties: string, more = ''): string =>
  `${imports}${more}@commandEndpoint<${name}, ${name}Done>({ restRoute: '/${name.toLowerCase()}' })
export class ${name} implements Command { ${properties} }
export interface ${name}Done { item: ${name}Item }
export interface ${name}Item { name: string }`;

const money = "import type { Money } from '../shared/money.js';\n";
const page = "import type { Page } from '../shared/page.js';\n";

const files = {
  'src/shared/money.ts': 'export interface Money { cents: number }',
  'src/shared/page.ts': 'export interface Page<T> { items: T[] }',
  'src/shop/buy.ts': command('Buy', 'price!: Money; items!: BuyItem[]', money),
  'src/shop/sell.ts': command('Sell', 'price!: Money', money),
  'src/shop/move.ts': command('Move', 'to!: string'),
};

interface Change {
  readonly what: string;
  readonly write?: Readonly<Record<string, string>>;
  readonly remove?: string;
  /** The generated files that are written, without their folder and extension. */
  readonly writes: readonly string[];
  readonly removes?: readonly string[];
}

const changes: readonly Change[] = [
  {
    what: 'a command rewrites what is about it',
    write: { 'src/shop/move.ts': command('Move', 'to!: string; from!: string') },
    writes: ['openapi', 'move.json'],
  },
  {
    what: 'a type rewrites its own file while others only call into it',
    write: { 'src/shared/money.ts': 'export interface Money { cents: number; currency: string }' },
    writes: ['openapi', 'money.json'],
  },
  {
    what: 'a type that several commands use rewrites them when it is read in place now',
    write: { 'src/shared/money.ts': 'export type Money = number' },
    writes: ['openapi', 'buy.json', 'sell.json'],
    removes: ['money.json'],
  },
  {
    what: 'the name of a type is followed to those who use it',
    write: {
      'src/shared/money.ts': 'export interface Amount { cents: number }',
      'src/shop/buy.ts': command('Buy', 'price!: Amount; items!: BuyItem[]', money.replace('Money', 'Amount')),
      'src/shop/sell.ts': command('Sell', 'price!: Amount', money.replace('Money', 'Amount')),
    },
    writes: ['openapi', 'money.json', 'buy.json', 'sell.json'],
  },
  {
    what: 'a command that goes takes its files with it',
    remove: 'src/shop/move.ts',
    writes: ['openapi', 'registry'],
    removes: ['move.endpoint', 'move.json'],
  },
  {
    what: 'a command that comes leaves the others alone',
    write: { 'src/shop/lend.ts': command('Lend', 'to!: string') },
    writes: ['openapi', 'registry', 'lend.endpoint', 'lend.json'],
  },
  {
    what: 'a second type of a name renames the first one in OpenAPI',
    write: {
      'src/shop/move.ts': `${command('Move', 'to!: Money')}\nexport interface Money { coins: number }`,
    },
    writes: ['openapi', 'move.json'],
  },
  {
    what: 'a generic type with other arguments is followed',
    write: { 'src/shop/move.ts': command('Move', 'to!: Page<MoveItem>', page) },
    writes: ['openapi', 'page.json', 'move.json'],
  },
  {
    what: 'the result of a command makes a type one that is written',
    write: { 'src/shop/move.ts': command('Move', 'to!: string', money).replace('item: MoveItem', 'item: Money') },
    writes: ['openapi', 'move.json'],
  },
  {
    what: 'a route stays out of what does not name it',
    write: { 'src/shop/move.ts': files['src/shop/move.ts'].replace("'/move'", "'/go'") },
    writes: ['openapi', 'registry', 'move.endpoint'],
  },
  {
    what: 'a perspective that comes makes its model one that is read and written',
    write: {
      'src/shop/sold.ts': `${imports}export class Sold implements Event { a!: string }
export interface Sales { count: number }`,
      'src/shop/sales.perspective.ts': `${imports}import type { Sales, Sold } from './sold.js';
export class SalesPerspective implements Perspective<Sales, Sold | EventAudited> { apply() { return null; } }`,
    },
    writes: ['openapi', 'registry', 'sold.json'],
  },
  {
    what: 'a perspective whose model has no name gets its own functions',
    write: {
      'src/shop/lent.ts': `${imports}export class Lent implements Event { a!: string }
export class LoansPerspective implements Perspective<{ count: number }, Lent> { apply() { return null; } }`,
    },
    writes: ['openapi', 'registry', 'lent.json'],
  },
];

/** `openapi` of `generated/openapi.ts` */
const shown = (paths: readonly string[]): string[] =>
  paths.map((path) => path.replace(/^.*\//, '').replace(/\.ts$/, '')).toSorted();

describe('a change', () => {
  it.each(changes)('of $what', ({ write = {}, remove, writes, removes = [] }) => {
    using fixture = new ServiceFixture(files);
    const generator = new Generator(fixture.project);
    expect(generator.write().diagnostics).toEqual([]);
    for (const [path, text] of Object.entries(write)) fixture.write(path, text);
    if (remove !== undefined) fixture.remove(remove);
    const touched = remove === undefined ? Object.keys(write) : [remove];
    const { diagnostics, drift } = generator.write(new Set(touched.map((path) => fixture.path(path))));
    expect(diagnostics).toEqual([]);
    expect(shown([...drift.missing, ...drift.different])).toEqual(writes.toSorted());
    expect(shown(drift.stale)).toEqual(removes.toSorted());
    // The files on disk equal those of a first run.
    expect(new Generator(fixture.project).check().drift).toEqual({ missing: [], different: [], stale: [] });
  });

  it('after many others gives the files of a first run', () => {
    using fixture = new ServiceFixture(files);
    const generator = new Generator(fixture.project);
    generator.write();
    for (const { write = {}, remove } of changes.toReversed()) {
      const touched = [...Object.keys(write), ...(remove === undefined ? [] : [remove])];
      for (const [path, text] of Object.entries({ ...files, ...write })) fixture.write(path, text);
      if (remove !== undefined) fixture.remove(remove);
      const all = new Set([...Object.keys(files), ...touched].map((path) => fixture.path(path)));
      expect(generator.write(all).diagnostics).toEqual([]);
      expect(new Generator(fixture.project).check().drift).toEqual({ missing: [], different: [], stale: [] });
    }
  });
});
