import { afterAll, describe, expect, it } from 'vitest';
import { imports, ServiceFixture } from '../../analysis/testing/service-fixture.js';
import { emitClient } from './client-emitter.js';

const fixture = new ServiceFixture({ 'src/empty.ts': 'export {};' });
afterAll(() => fixture[Symbol.dispose]());

/** The part of the client that depends on the service. */
function clientOf(files: string | Readonly<Record<string, string>>): string {
  const sources = typeof files === 'string' ? { 'shop.ts': files } : files;
  fixture.replaceSources(
    Object.fromEntries(Object.entries(sources).map(([path, text]) => [`src/${path}`, imports + text])),
  );
  const { model, diagnostics } = fixture.analyze();
  expect(diagnostics).toEqual([]);
  return emitClient(model).split('// The rest is the same')[0]!;
}

const command = (name: string, properties = '', result = 'void', route = `/${name.toLowerCase()}`): string =>
  `@commandEndpoint<${name}, ${result}>({ restRoute: '${route}' })\nexport class ${name} implements Command { ${properties} }\n`;

const perspective = (name: string, options: string, model: string): string =>
  `export class ${name}Happened implements Event { a!: string }
@perspective(${options})
export class ${name} implements Perspective<${model}, ${name}Happened> { apply(): never { throw 1; } }\n`;

describe('commands of the client', () => {
  it('have doc comments, routes and result types', () => {
    const text = clientOf(
      `/** Buys\n * things. */\n${command('Buy', '/** What *\\/ to buy. */ what!: string', 'Uuid', '/shop/:what/buy')}`,
    );
    expect(text).toContain(
      "/**\n * Buys\n * things.\n */\nexport const buy: CommandOperation<Buy, Uuid> = /*#__PURE__*/ command('/shop/:what/buy');",
    );
    expect(text).toContain('export interface Buy {\n');
  });

  it('without a REST route are left out', () => {
    const text = clientOf(
      `@commandEndpoint<Buy, void>({ graphQLMutation: 'buy' })\nexport class Buy implements Command {}\n${command('Sell')}`,
    );
    expect(text).not.toMatch(/buy/i);
    expect(text).toContain('export const operations: {\n  readonly sell: typeof sell;\n} = {\n  sell,\n};');
  });

  it('whose names are reserved words have another constant, and their own name in the client', () => {
    const text = clientOf(command('Delete') + command('Fetch') + command('CreateClient'));
    expect(text).toContain('export const deleteCommand: CommandOperation<Delete, void>');
    expect(text).toContain('  delete: deleteCommand,\n  fetch: fetchCommand,\n');
    expect(text).toContain('  createClient: createClientCommand,\n');
  });
});

describe('types of the client', () => {
  it('are written out', () => {
    const types = [
      ['string & MinLength<1>', 'string'],
      ['Int & Min<1>', 'number'],
      ['Uuid', 'Uuid'],
      ['Decimal & Min<0>', 'Decimal'],
      ['Date | null', 'Date | null'],
      ['unknown', 'unknown'],
      ["'a' | 'b'", "'a' | 'b'"],
      ['(string | null)[]', 'readonly (string | null)[]'],
      ['string[][]', 'readonly (readonly string[])[]'],
      ['Set<Uuid>', 'ReadonlySet<Uuid>'],
      ['[string, Date]', 'readonly [string, Date]'],
      ['Record<string, Date>', '{ readonly [key: string]: Date }'],
      ['{ a: string; b?: number }', '{ readonly a: string; readonly b?: number | undefined }'],
      ['string | number[]', 'string | readonly number[]'],
    ] as const;
    const text = clientOf(command('Buy', types.map(([type], i) => `p${i}!: ${type}`).join('; ')));
    for (const [i, [, expected]] of types.entries()) expect(text).toContain(`  readonly p${i}: ${expected};\n`);
  });

  it('may omit properties with a default in requests only', () => {
    const text = clientOf(`export class Options { size: Int = 1; at: Date = new Date(0) }
      ${command('Buy', "options!: Options; color = 'red'", 'Bought')}
      export interface Bought { options: Options }`);
    expect(text).toContain(
      'export interface Buy {\n  readonly options: OptionsInput;\n  readonly color?: string | undefined;\n}',
    );
    expect(text).toContain('export interface Options {\n  readonly size: number;\n  readonly at: Date;\n}');
    expect(text).toContain(
      'export interface OptionsInput {\n  readonly size?: number | undefined;\n  readonly at?: Date | undefined;\n}',
    );
  });

  it('come without imports, so that the module runs everywhere', () => {
    fixture.replaceSources({ 'src/shop.ts': imports + command('Buy', 'at!: Date', 'Date') });
    expect(emitClient(fixture.analyze().model)).not.toMatch(/^import /m);
  });

  it('with the same name are qualified by their modules, and do not hide those of the client', () => {
    const text = clientOf({
      'a.ts': `export interface Item { a: string }\n${command('Buy', 'item!: Item; page!: Page')}export interface Page { a: Date }`,
      'b/c.ts': `export interface Item { b: string }\n${command('Sell', 'item!: Item')}`,
    });
    expect(text).toContain('export interface AItem {\n  readonly a: string;\n}');
    expect(text).toContain('export interface BCItem {\n  readonly b: string;\n}');
    expect(text).toContain('export interface PageType {\n');
  });
});

describe('results of the client', () => {
  it('are read only where they have dates or sets', () => {
    const text = clientOf(
      command('Buy', '', 'Bought') +
        command('Sell', '', '{ at: Date }') +
        command('Move', '', 'Moved') +
        `export interface Moved { to: string }
        export type Part = { kind: 'new'; at: Date } | { kind: 'old'; age: number };
        export interface Bought { at?: Date; tags: Set<string>; parts: Part[]; inner: { when: Date | null } | null; next?: Bought }`,
    );
    expect(text).toContain("command('/buy', readBought)");
    expect(text).toContain("command('/sell', (json: any) => readResult(json))");
    expect(text).toContain("command('/move')");
    expect(text).toContain(
      [
        'function readBought(json: any): Bought {',
        '  if (json.at != null) json.at = new Date(json.at);',
        '  json.tags = new Set(json.tags);',
        '  json.parts = json.parts.map((item: any) => readPart(item));',
        '  if (json.inner != null) json.inner = readBoughtInner(json.inner);',
        '  if (json.next != null) json.next = readBought(json.next);',
        '  return json;',
        '}',
      ].join('\n'),
    );
    expect(text).toContain("    case 'new':\n      return readPartNew(json);\n    default:\n      return json;\n");
  });
});

describe('models of the client', () => {
  it('have filters and sort orders of their indexed properties', () => {
    const text = clientOf(
      perspective(
        'Shelves',
        "{ route: '/shelf-views/by-floor', indexed: ['floor', 'kind'] }",
        "{ floor: Int; kind: 'wood' | 'steel' | null; at: Date }",
      ),
    );
    expect(text).toContain('export const shelfViewsByFloor: ModelsOperation<{');
    expect(text).toContain("  readonly kind?: Condition<'steel' | 'wood'> | undefined;\n");
    expect(text).toContain(
      "export type ShelfViewsByFloorSort = 'key' | '-key' | 'floor' | '-floor' | 'kind' | '-kind';",
    );
  });

  it('are named after their class if the route is no name', () => {
    const text = clientOf(perspective('Shelves', "{ route: '/2nd/~' }", '{ a: string }'));
    expect(text).toContain('export const shelves: ModelsOperation<');
  });

  it('without a route are left out', () => {
    expect(clientOf(perspective('Shelves', "{ graphQLQuery: 'shelf' }", '{ at: Date }'))).not.toMatch(/shel/i);
  });

  it('do not hide a command with the same name', () => {
    const text = clientOf(command('Orders') + perspective('Views', "{ route: '/orders' }", '{ a: string }'));
    expect(text).toContain('  orders,\n  ordersModels: /*#__PURE__*/ live(ordersModels),\n');
  });
});
