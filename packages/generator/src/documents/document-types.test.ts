import { afterAll, describe, expect, it } from 'vitest';
import { emitDocuments } from '../emit/index.js';
import { DocumentsFixture, type Texts } from './testing/documents-fixture.js';

const fixture = new DocumentsFixture();
afterAll(() => fixture[Symbol.dispose]());

/** The generated module of some documents. */
function moduleOf(texts: Texts): string {
  const { documents, diagnostics } = fixture.read(texts);
  expect(diagnostics).toEqual([]);
  return emitDocuments(fixture.service, documents);
}

describe('the types of a result', () => {
  it('are those of the service, also where GraphQL has only JSON or String', () => {
    const text = moduleOf({
      'a.graphql': 'query A { item(id: 1) { itemId price label soldAt tags days range anything } }',
    });
    expect(text).toContain(
      [
        'export interface AItem {',
        '  readonly itemId: Uuid;',
        '  /** What it costs. */',
        '  readonly price: Decimal;',
        '  /** One of "in-stock", "sold out". */',
        "  readonly label: 'in-stock' | 'sold out';",
        '  readonly soldAt: Date | null;',
        '  readonly tags: ReadonlySet<string>;',
        '  readonly days: { readonly [key: string]: Date };',
        '  readonly range: readonly [number, Date];',
        '  readonly anything: unknown;',
        '}',
      ].join('\n'),
    );
    expect(text).toContain('  if (json.soldAt != null) json.soldAt = new Date(json.soldAt);\n');
    expect(text).toContain('  json.tags = new Set(json.tags);\n');
    expect(text).toContain('  json.range = [json.range[0], new Date(json.range[1])];\n');
  });

  it('of subscriptions are those of the models; lists are sent with what continues them', () => {
    const text = moduleOf({
      'a.graphql': `subscription One { item(id: 1) { soldAt } }
        subscription Many { rows: items(sort: "price") { keys changed { key model { ...Row } } } }
        subscription Own($since: String) { items(since: $since, afterEvent: 1) { place } }
        subscription Part { ...Items } fragment Items on Subscription { items { keys } } fragment Row on Item { tags }`,
    });
    expect(text).toContain('export interface OneItem {\n  readonly soldAt: Date | null;\n}');
    expect(text).toContain('export interface ManyResult {\n  readonly rows: ManyRows | null;\n}');
    expect(text).toMatch(
      /interface ManyRows \{[^}]*keys: readonly string\[\];[^}]*changed: readonly ManyRowsChanged\[\];\n\}/,
    );
    expect(text).toMatch(/interface ManyRowsChanged \{[^}]*readonly model: RowFragment;\n\}/);
    expect(text).not.toContain('readonly svcPlace');
    expect(text).toContain(
      'subscription Many($svcAfterEvent:ID$svcWaitSeconds:Int$svcSince:String){rows:items(sort:"price" afterEvent:$svcAfterEvent waitSeconds:$svcWaitSeconds since:$svcSince){svcPlace:place keys changed',
    );
    const listOf = (name: string): string =>
      new RegExp(`const ${name}\\w*: SubscriptionDocument[^]*?list: ([^,]*),`).exec(text)![1]!;
    expect(['One', 'Many', 'Own', 'Part'].map(listOf)).toEqual(['null', "'rows'", 'null', 'null']);
    expect(text).toMatch(/Own\w*: SubscriptionDocument<OwnResult, OwnVariables> = \{[^]*?isWaiting: false/);
  });

  it('have aliases, and join what is selected several times', () => {
    const text = moduleOf({
      'a.graphql':
        'query A { first: item(id: 1) { parts { itemId } ...F parts { price } } } fragment F on Item { parts { label } parts { itemId } }',
    });
    expect(text).toContain('export interface AResult {\n  readonly first: AFirst | null;\n}');
    expect(text).toContain('export interface AFirst {\n  readonly parts: readonly AFirstParts[];\n}');
    expect(text).toMatch(/interface AFirstParts \{\n {2}readonly itemId: Uuid;[^}]*label: [^}]*price: Decimal;\n\}/);
  });

  it('are absent where a condition can exclude them', () => {
    const text = moduleOf({
      'a.graphql': `query A($all: Boolean!) {
        item(id: 1) { itemId @skip(if: $all) price ... @include(if: $all) { price label parts { itemId } } parts { price } }
        other: item(id: 2) @include(if: $all) { price }
      }`,
    });
    expect(text).toContain('  readonly itemId?: Uuid | undefined;\n');
    expect(text).toContain('  readonly price: Decimal;\n');
    expect(text).toContain("  readonly label?: 'in-stock' | 'sold out' | undefined;\n");
    expect(text).toContain('  readonly parts: readonly AItemParts[];\n');
    expect(text).toMatch(/interface AItemParts \{\n {2}readonly itemId\?: Uuid \| undefined;/);
    expect(text).toContain('  readonly other?: AOther | null | undefined;\n');
    expect(text).toMatch(/interface AOther \{\n[^}]*readonly price: Decimal;/);
  });

  it('of unions are distinguished by __typename, which is always selected', () => {
    const text = moduleOf({
      'a.graphql':
        'query A { item(id: 1) { packing { ... on Boxed { at size } ...P } } } fragment P on Packing { ... on Loose { pieces } }',
    });
    expect(text).toContain('packing{__typename ...on Boxed{at size}...P}');
    expect(text).toContain('fragment P on Packing{__typename ...on Loose{pieces}}');
    expect(text).toContain('export type AItemPacking = AItemPackingBoxed | AItemPackingLoose;');
    expect(text).toContain(
      "export interface AItemPackingBoxed {\n  readonly __typename: 'Boxed';\n  readonly at: Date;\n  readonly size: Size;\n}",
    );
    expect(text).toContain("  readonly __typename: 'Loose';\n  readonly pieces: number;\n");
    expect(text).toContain("    case 'Boxed':\n      return readAItemPackingBoxed(json);\n");
  });

  it('are those of a fragment if nothing else is selected', () => {
    const text = moduleOf({
      'a.graphql': 'query A { item(id: 1) { ...Row packing { ...P } } items { items { ...Row } } }',
      'b.graphql': 'fragment Row on Item { price soldAt }',
      'c.graphql': 'fragment P on Packing { ... on Boxed { at } }\nfragment Unused on Item { price }',
    });
    expect(text).toContain('export interface AItems {\n  readonly items: readonly RowFragment[];\n}');
    expect(text).toContain('  readonly packing: PFragment;\n');
    expect(text).toContain('export interface UnusedFragment {');
    expect(text).not.toContain('...Unused');
  });

  it('of commands without a result are null', () => {
    const text = moduleOf({
      'a.graphql':
        'mutation A($c: BuyInput!) { buy(command: $c) }\nmutation B { count(command: { what: "x" }) again: count(command: { what: "x" }) }',
    });
    expect(text).toContain('  readonly buy: null;\n');
    expect(text).toContain('  readonly count: number;\n  readonly again: number;\n');
    expect(text).toContain("{buy(command:$c)}',\n  read: null,\n  isOneCommand: true,");
    expect(text).toContain('read: null,\n  isOneCommand: false,');
  });

  it('do not depend on the order of files', () => {
    const a = 'query A { item(id: 1) { ...F } }';
    const b = 'fragment F on Item { price }\nquery B { item(id: 1) { ...F } }';
    expect(moduleOf({ 'a.graphql': a, 'b.graphql': b })).toBe(moduleOf({ 'a.graphql': b, 'b.graphql': a }));
  });
});

describe('the types of variables', () => {
  it('are optional unless they are required, and accept null where GraphQL does', () => {
    const text = moduleOf({
      'a.graphql': `query A($id: ID!, $size: Int! = 5, $page: Int = 1, $min: Decimal, $in: [Decimal!]) {
        item(id: $id) { price } items(pageSize: $size, page: $page, filter: { price: { gte: $min, in: $in } }) { next }
      }`,
    });
    expect(text).toContain(
      [
        'export interface AVariables {',
        '  readonly id: string;',
        '  readonly size?: number | undefined;',
        '  readonly page?: number | null | undefined;',
        '  readonly min?: Decimal | null | undefined;',
        '  readonly in?: readonly Decimal[] | null | undefined;',
        '}',
      ].join('\n'),
    );
  });

  it('are inputs with the types of the service', () => {
    const text = moduleOf({ 'a.graphql': 'mutation A($command: BuyInput!) { buy(command: $command) }' });
    expect(text).toContain(
      [
        'export interface BuyInput {',
        '  readonly itemId: Uuid;',
        '  readonly at?: Date | null | undefined;',
        '  readonly packing: PackingInput;',
        '  readonly note?: string | null | undefined;',
        '  readonly sizes: ReadonlySet<Size>;',
        '}',
      ].join('\n'),
    );
    expect(text).toContain(
      'export type PackingInput = { readonly boxed: BoxedInput; readonly loose?: never | undefined } | { readonly boxed?: never | undefined; readonly loose: LooseInput };',
    );
  });
});

describe('queries', () => {
  it('wait for commands, unless the document says for what', () => {
    const text = moduleOf({
      'a.graphql': `query A { item(id: 1) { price } ...Q }
        query B($e: ID) { item(id: 1, afterEvent: $e) { price } }
        query C { item(id: 1, waitSeconds: 9) { price } }
        query D { __typename }
        fragment Q on Query { items { next } }`,
    });
    const wait = 'afterEvent:$svcAfterEvent waitSeconds:$svcWaitSeconds';
    expect(text).toContain(
      `'query A($svcAfterEvent:ID$svcWaitSeconds:Int){item(id:1 ${wait}){price}...Q}fragment Q on Query{items(${wait}){next}}'`,
    );
    expect(text).toContain("'query B($e:ID){item(id:1 afterEvent:$e){price}}',\n  read: null,\n  isWaiting: false,");
    expect(text).toContain("'query C($svcAfterEvent:ID){item(id:1 waitSeconds:9 afterEvent:$svcAfterEvent){price}}'");
    expect(text).toContain("'query D{__typename}'");
  });

  it('have names that the module does not use otherwise', () => {
    const text = moduleOf({
      'a.graphql':
        'query graphql { item(id: 1) { price } } query delete { item(id: 1) { price } } query Uuid { __typename }',
    });
    for (const name of ['graphqlDocument', 'deleteDocument', 'UuidDocument']) {
      expect(text).toContain(`export const ${name}: QueryDocument<`);
    }
  });
});

describe('without documents', () => {
  it('the module has the function that documents need, and imports nothing', () => {
    const text = moduleOf({});
    expect(text).toContain('export function graphql<');
    expect(text).not.toContain('import ');
  });
});
