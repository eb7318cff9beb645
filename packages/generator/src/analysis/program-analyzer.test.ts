import { describe, expect, it } from 'vitest';
import type { Analysis } from './program-analyzer.js';
import { coreSources, imports, ServiceFixture } from './testing/service-fixture.js';

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

  it('gives the same bytes in any order of its files', () => {
    using first = new ServiceFixture(files);
    const model = JSON.stringify(first.analyze().model);
    // The last file alone, then all: the checker sees the literals of its union in another order.
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

/** Changes of the service between two analyses, and the modules that must then be read again. */
const changes: readonly {
  readonly what: string;
  readonly write?: Readonly<Record<string, string>>;
  readonly remove?: readonly string[];
  readonly cached: readonly string[];
}[] = [
  { what: 'nothing', cached: ['billing/pay', 'orders/create-order', 'orders/create-order.receptor'] },
  {
    what: 'a property of one command',
    write: { 'src/billing/pay.ts': `${files['src/billing/pay.ts']}\nexport class Paid { by!: string }` },
    cached: ['orders/create-order', 'orders/create-order.receptor'],
  },
  {
    what: 'a type that one command uses through an index',
    write: { 'src/shared/money.ts': 'export interface Money { cents: number }' },
    cached: ['billing/pay'],
  },
  {
    what: 'the index itself',
    write: {
      'src/shared/index.ts': "export type { Money } from './other.js';\nexport * from './more.js';",
      'src/shared/other.ts': 'export interface Money { euros: number }',
    },
    cached: [],
  },
  {
    what: 'what the index hands on by a detour',
    write: {
      'src/shared/index.ts':
        "import type { Money } from './money.js';\nexport type { Money };\nexport * from './more.js';",
    },
    cached: [],
  },
  {
    what: 'a new command',
    write: { 'src/billing/refund.ts': `${imports}export class Refund implements Command { pay!: string }` },
    cached: ['billing/pay', 'orders/create-order', 'orders/create-order.receptor'],
  },
  {
    what: 'a removed command',
    remove: ['src/billing/pay.ts'],
    cached: ['orders/create-order', 'orders/create-order.receptor'],
  },
  {
    what: 'a removed imported file',
    remove: ['src/shared/money.ts'],
    cached: [],
  },
  {
    what: 'a command that is none any more',
    write: { 'src/orders/create-order.ts': 'export class CreateOrder {}' },
    cached: ['billing/pay'],
  },
  {
    what: 'a global type',
    write: { 'src/globals.ts': 'declare global { interface Money2 { a: string } }\nexport {};' },
    cached: [],
  },
  {
    what: 'a broken file',
    write: { 'src/orders/create-order.receptor.ts': 'export class {' },
    cached: ['billing/pay', 'orders/create-order'],
  },
];

describe('a change', () => {
  /** Results by change: they are the same whether or not the changed files are given. */
  const cold = new Map<string, Analysis>();

  describe.each([
    ['when the changed files are given', true],
    ['when the changed files are not given', false],
  ])('%s', (_, isGiven) => {
    it.each(changes)('of $what gives the same result as a cold run', ({ what, write = {}, remove = [], cached }) => {
      using fixture = new ServiceFixture(files);
      const before = fixture.analyze().model;
      for (const [path, text] of Object.entries(write)) fixture.write(path, text);
      for (const path of remove) fixture.remove(path);
      const touched = [...Object.keys(write), ...remove];
      const after = isGiven && touched.length > 0 ? fixture.analyze(...touched) : fixture.analyze();
      const expected = cold.get(what) ?? fixture.analyzeCold();
      cold.set(what, expected);
      expect(after).toEqual(expected);
      // A cached fact is the same object; a fact that was read again is another object.
      const same = after.model.types.filter((type) => before.types.includes(type)).map(({ module }) => module);
      for (const module of cached.filter((name) => !name.endsWith('.receptor'))) expect(same).toContain(module);
      if (cached.length === 0) expect(same).toEqual([]);
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

  it.each(['src/a.ts', 'src/b.ts'])('of %s retains a type that other modules also use', (path) => {
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

  it.each(['src/globals.ts', 'src/globals.d.ts'])('of a global type in %s is detected', (path) => {
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

  it('that introduces or fixes a mistake is detected', () => {
    using fixture = new ServiceFixture(files);
    expect(fixture.analyze().diagnostics).toEqual([]);
    fixture.write('src/shared/money.ts', 'export interface Money { amount: bigint }');
    expect(fixture.analyze('src/shared/money.ts').diagnostics).toMatchObject([
      { code: 'SVC1004', file: 'src/shared/money.ts', line: 1, column: 26 },
    ]);
    fixture.write('src/shared/money.ts', files['src/shared/money.ts']);
    expect(fixture.analyze('src/shared/money.ts').diagnostics).toEqual([]);
  });

  it('behind an index that imports its exports is detected', () => {
    using fixture = new ServiceFixture({
      ...files,
      'src/shared/index.ts':
        "import type { Money } from './money.js';\nexport type { Money };\nexport * from './more.js';",
    });
    fixture.analyze();
    fixture.write('src/shared/money.ts', 'export interface Money { cents: number }');
    expect(fixture.analyze('src/shared/money.ts')).toEqual(fixture.analyzeCold());
  });

  it('behind a namespace export of an index is detected', () => {
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

  it('of the tsconfig is detected', () => {
    using fixture = new ServiceFixture(files);
    fixture.analyze();
    const tsconfig = {
      compilerOptions: { module: 'nodenext', paths: coreSources },
      include: ['src/billing'],
    };
    fixture.write('tsconfig.json', JSON.stringify(tsconfig));
    const after = fixture.analyze('tsconfig.json');
    expect(after.model.messages.map(({ name }) => name)).toEqual(['Pay']);
    expect(after).toEqual(fixture.analyzeCold());
  });
});

describe('mistakes', () => {
  it('are all reported in one run, in the order of their locations', () => {
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
    const reported = fixture.analyze().diagnostics.map(({ file, line, code }) => `${file}:${line} ${code}`);
    expect(reported).toEqual([
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

  it('in a type of a package are reported where the user names it', () => {
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

  it('in the argument of a generic type are reported where it is given', () => {
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
