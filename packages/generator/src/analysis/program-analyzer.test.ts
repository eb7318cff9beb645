import { describe, expect, it } from 'vitest';
import type { Analysis } from './program-analyzer.js';
import { imports, ServiceFixture } from './testing/service-fixture.js';

const files = {
  'src/shared/money.ts': `import type { Decimal } from '@svc/core';
export interface Money { amount: Decimal; currency: 'EUR' | 'USD' }`,
  'src/shared/index.ts': "export type { Money } from './money.js';\nexport * from './more.js';",
  'src/shared/more.ts': 'export interface More { a: string }\n',
  'src/orders/create-order.ts': `${imports}import type { Money } from '../shared/index.js';
@commandEndpoint<CreateOrder, void>({ restRoute: '/orders' })
export class CreateOrder implements Command { total!: Money; status!: 'open' | 'closed' }`,
  'src/orders/create-order.receptor.ts': `${imports}import type { CreateOrder } from './create-order.js';
export class CreateOrderReceptor implements Receptor<CreateOrder> { receive() {} }`,
  'src/billing/pay.ts': `${imports}import type { More } from '../shared/index.js';
export class Pay implements Command { more!: More; kind!: 'closed' | 'open' | 'other' }`,
};

describe('the same program', () => {
  it('gives the same bytes in another directory', () => {
    using here = new ServiceFixture(files);
    using there = new ServiceFixture(files, 3);
    expect(JSON.stringify(there.analyze().model)).toBe(JSON.stringify(here.analyze().model));
  });

  it('gives the same bytes in whatever order its files are met', () => {
    using first = new ServiceFixture(files);
    const model = JSON.stringify(first.analyze().model);
    // The last file alone, then all: the checker meets the literals of its union in another order.
    using second = new ServiceFixture({ 'src/billing/pay.ts': files['src/billing/pay.ts'] });
    second.analyze();
    for (const [path, text] of Object.entries(files).toReversed()) {
      second.write(path, text);
      second.analyze();
    }
    expect(JSON.stringify(second.analyze().model)).toBe(model);
  });
});

describe('a source', () => {
  const text = files['src/billing/pay.ts'];

  it.each([
    ['UTF-16, little-endian', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16, big-endian', Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
  ])('may be %s', (_, bytes) => {
    using plain = new ServiceFixture(files);
    using other = new ServiceFixture({ ...files, 'src/billing/pay.ts': bytes });
    expect(other.analyze()).toEqual(plain.analyze());
  });
});

/** What happens to the service between two analyses, and which modules must then be read again. */
const changes: readonly {
  readonly what: string;
  readonly write?: Readonly<Record<string, string>>;
  readonly remove?: readonly string[];
  readonly keeps: readonly string[];
}[] = [
  { what: 'nothing', keeps: ['billing/pay', 'orders/create-order', 'orders/create-order.receptor'] },
  {
    what: 'a property of one command',
    write: { 'src/billing/pay.ts': `${files['src/billing/pay.ts']}\nexport class Paid { by!: string }` },
    keeps: ['orders/create-order', 'orders/create-order.receptor'],
  },
  {
    what: 'a type that one command uses through an index',
    write: { 'src/shared/money.ts': 'export interface Money { cents: number }' },
    keeps: ['billing/pay'],
  },
  {
    what: 'the index itself',
    write: {
      'src/shared/index.ts': "export type { Money } from './other.js';\nexport * from './more.js';",
      'src/shared/other.ts': 'export interface Money { euros: number }',
    },
    keeps: [],
  },
  {
    what: 'what the index hands on by a detour',
    write: {
      'src/shared/index.ts':
        "import type { Money } from './money.js';\nexport type { Money };\nexport * from './more.js';",
    },
    keeps: [],
  },
  {
    what: 'a new command',
    write: { 'src/billing/refund.ts': `${imports}export class Refund implements Command { pay!: string }` },
    keeps: ['billing/pay', 'orders/create-order', 'orders/create-order.receptor'],
  },
  {
    what: 'a command that is gone',
    remove: ['src/billing/pay.ts'],
    keeps: ['orders/create-order', 'orders/create-order.receptor'],
  },
  {
    what: 'an imported file that is gone',
    remove: ['src/shared/money.ts'],
    keeps: [],
  },
  {
    what: 'a command that is none any more',
    write: { 'src/orders/create-order.ts': 'export class CreateOrder {}' },
    keeps: ['billing/pay'],
  },
  {
    what: 'a global type',
    write: { 'src/globals.ts': 'declare global { interface Money2 { a: string } }\nexport {};' },
    keeps: [],
  },
  {
    what: 'a broken file',
    write: { 'src/orders/create-order.receptor.ts': 'export class {' },
    keeps: ['billing/pay', 'orders/create-order'],
  },
];

describe('a change', () => {
  /** By what has changed: it is the same for whoever is told of it and whoever finds out. */
  const cold = new Map<string, Analysis>();

  describe.each([
    ['when told which files changed', true],
    ['when it has to find out', false],
  ])('%s', (_, isTold) => {
    it.each(changes)('of $what leads to what a cold run gives', ({ what, write = {}, remove = [], keeps }) => {
      using fixture = new ServiceFixture(files);
      const before = fixture.analyze().model;
      for (const [path, text] of Object.entries(write)) fixture.write(path, text);
      for (const path of remove) fixture.remove(path);
      const touched = [...Object.keys(write), ...remove];
      const after = isTold && touched.length > 0 ? fixture.analyze(...touched) : fixture.analyze();
      const expected = cold.get(what) ?? fixture.analyzeCold();
      cold.set(what, expected);
      expect(after).toEqual(expected);
      // What was kept is the very object it was; what was read again is another, equal or not.
      const kept = after.model.types.filter((type) => before.types.includes(type)).map(({ module }) => module);
      for (const module of keeps.filter((name) => !name.endsWith('.receptor'))) expect(kept).toContain(module);
      if (keeps.length === 0) expect(kept).toEqual([]);
    });
  });

  it('that only touches a file changes nothing', () => {
    using fixture = new ServiceFixture(files);
    const before = fixture.analyze();
    fixture.write('src/billing/pay.ts', files['src/billing/pay.ts']);
    const after = fixture.analyze('src/billing/pay.ts');
    expect(after.model.types).toEqual(before.model.types);
    expect(after.model.types.every((type, i) => type === before.model.types[i])).toBe(true);
  });

  it.each(['src/a.ts', 'src/b.ts'])('of %s leaves a type alone that others use, too', (path) => {
    const event = (name: string, more = ''): string =>
      `${imports}import type { Money } from './money.js';\nexport class ${name} implements Event { money!: Money${more} }`;
    using fixture = new ServiceFixture({
      'src/money.ts': 'export interface Money { cents: number }',
      'src/a.ts': event('A'),
      'src/b.ts': event('B'),
    });
    const before = fixture.analyze().model;
    fixture.write(path, event(path === 'src/a.ts' ? 'A' : 'B', '; more!: string'));
    const after = fixture.analyze(path).model;
    expect(after).toEqual(fixture.analyzeCold().model);
    expect(after.types.filter((type) => !before.types.includes(type)).map(({ module }) => `src/${module}.ts`)).toEqual([
      path,
    ]);
  });

  it.each(['src/globals.ts', 'src/globals.d.ts'])('of a global type in %s is seen', (path) => {
    const globals = (type: string): string => `export {};\ndeclare global { interface Weight { grams: ${type} } }`;
    using fixture = new ServiceFixture({
      [path]: globals('number'),
      'src/a.ts': `${imports}export class Weighed implements Event { weight!: Weight }`,
    });
    expect(fixture.analyze().diagnostics).toEqual([]);
    fixture.write(path, globals('string'));
    const after = fixture.analyze(path);
    expect(after.diagnostics).toEqual([]);
    expect(after.model.types.at(-1)?.type).toMatchObject({ properties: [{ type: { kind: 'string' } }] });
  });

  it('of a mistake is seen, and so is its fix', () => {
    using fixture = new ServiceFixture(files);
    expect(fixture.analyze().diagnostics).toEqual([]);
    fixture.write('src/shared/money.ts', 'export interface Money { amount: bigint }');
    expect(fixture.analyze('src/shared/money.ts').diagnostics).toMatchObject([
      { code: 'SVC1004', file: 'src/shared/money.ts', line: 1, column: 26 },
    ]);
    fixture.write('src/shared/money.ts', files['src/shared/money.ts']);
    expect(fixture.analyze('src/shared/money.ts').diagnostics).toEqual([]);
  });

  it('behind an index that imports what it exports is seen', () => {
    using fixture = new ServiceFixture({
      ...files,
      'src/shared/index.ts':
        "import type { Money } from './money.js';\nexport type { Money };\nexport * from './more.js';",
    });
    fixture.analyze();
    fixture.write('src/shared/money.ts', 'export interface Money { cents: number }');
    expect(fixture.analyze('src/shared/money.ts')).toEqual(fixture.analyzeCold());
  });

  it('behind a namespace that an index exports is seen', () => {
    using fixture = new ServiceFixture({
      ...files,
      'src/shared/index.ts': "export * as money from './money.js';\nexport * from './more.js';",
      'src/orders/create-order.ts': `${imports}import type { money } from '../shared/index.js';
export class CreateOrder implements Command { total!: money.Money }`,
    });
    expect(fixture.analyze().diagnostics).toEqual([]);
    fixture.write('src/shared/money.ts', 'export interface Money { cents: number }');
    expect(fixture.analyze('src/shared/money.ts')).toEqual(fixture.analyzeCold());
  });

  it('of the tsconfig is seen', () => {
    using fixture = new ServiceFixture(files);
    fixture.analyze();
    const tsconfig = {
      compilerOptions: { module: 'nodenext', customConditions: ['svc-source'] },
      include: ['src/billing'],
    };
    fixture.write('tsconfig.json', JSON.stringify(tsconfig));
    const after = fixture.analyze('tsconfig.json');
    expect(after.model.messages.map(({ name }) => name)).toEqual(['Pay']);
    expect(after).toEqual(fixture.analyzeCold());
  });
});

describe('mistakes', () => {
  it('are all told in one run, in the order of their places', () => {
    using fixture = new ServiceFixture({
      'src/b.ts': `${imports}
@commandEndpoint<Create, any>({ restRoute: 'orders', graphQLMutation: 'a-b' })
export class Create implements Command { a!: any; b!: bigint; c!: Map<string, Date>; d!: Part }
export interface Part { e: symbol }
class Hidden implements Event {}`,
      'src/a.ts': `${imports}export class Create implements Event { f!: never }
export class For implements Receptor<Part> { receive() {} }
interface Part {}`,
    });
    const told = fixture.analyze().diagnostics.map(({ file, line, code }) => `${file}:${line} ${code}`);
    expect(told).toEqual([
      'src/a.ts:2 SVC1003',
      'src/a.ts:3 SVC1202',
      'src/b.ts:3 SVC1001',
      'src/b.ts:3 SVC1105',
      'src/b.ts:3 SVC1106',
      'src/b.ts:4 SVC1303',
      'src/b.ts:4 SVC1001',
      'src/b.ts:4 SVC1004',
      'src/b.ts:4 SVC1007',
      'src/b.ts:5 SVC1005',
      'src/b.ts:6 SVC1301',
    ]);
  });

  it('in a type of a package are told where the user names it', () => {
    using fixture = new ServiceFixture({
      'src/a.ts': `import type { Event, MessageEnvelope } from '@svc/core';
export class A implements Event {
  envelope!: { inner: Wrapped };
}
interface Wrapped {
  readonly handler: import('@svc/core').PipelineBehavior;
}`,
    });
    expect(fixture.analyze().diagnostics).toMatchObject([
      {
        code: 'SVC1006',
        file: 'src/a.ts',
        line: 6,
        column: 3,
        message: expect.stringContaining('PipelineBehavior.handle'),
      },
    ]);
  });

  it('in the argument of a generic type are told where it is given', () => {
    using fixture = new ServiceFixture({
      'src/a.ts': `${imports}export interface Page<T> { items: T[]; total: any }
export class A implements Event {
  page!: Page<Map<string, string>>;
}`,
    });
    expect(fixture.analyze().diagnostics.map(({ code, line }) => `${line} ${code}`)).toEqual([
      '2 SVC1001',
      '4 SVC1007',
    ]);
  });
});
