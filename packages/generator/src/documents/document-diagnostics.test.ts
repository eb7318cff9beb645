import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { documentCodes } from '../diagnostics/document-codes.js';
import { DocumentsFixture, type Texts } from './testing/documents-fixture.js';

const fixture = new DocumentsFixture();
afterAll(() => fixture[Symbol.dispose]());

const call = (text: string): string => `import { graphql } from '../api/shop-documents.js';\n${text}`;

describe('a document', () => {
  const cases: [title: string, texts: Texts, expected: string[]][] = [
    [
      'with a syntax error',
      { 'a.graphql': 'query A {\n  item(id: 1 { price }\n}' },
      ['a.graphql:2:14 SVC2201 Syntax Error: Expected Name, found "{". Fix the document.'],
    ],
    [
      'with a field that does not exist',
      { 'pages/a.tsx': call('const A = graphql(`\n  query A {\n    item(id: "1") { prise }\n  }`);') },
      [
        'pages/a.tsx:4:21 SVC2202 Cannot query field "prise" on type "Item". Did you mean "price" or "parts"? Change the document to match the schema of the service.',
      ],
    ],
    [
      'on the first line of its call',
      { 'a.ts': call('  const A = graphql(`query A { itm(id: "1") { price } }`);') },
      [expect.stringMatching(/^a\.ts:2:32 SVC2202 Cannot query field "itm".* Did you mean "item"/) as never],
    ],
    [
      'in a file with carriage returns',
      { 'a.ts': call('const A = graphql(`\r\n  query A {\r\n    itm(id: "1") { price }\r\n  }`);') },
      [expect.stringMatching(/^a\.ts:4:5 SVC2202 /) as never],
    ],
    [
      'with an unknown argument, a wrong type and a missing argument',
      {
        'a.graphql':
          'query A {\n a: items(pageSise: 1) { next }\n b: items(pageSize: "1") { next }\n item { price }\n}',
      },
      [
        expect.stringMatching(
          /^a\.graphql:2:11 SVC2202 Unknown argument "pageSise".* Did you mean "pageSize"/,
        ) as never,
        expect.stringMatching(/^a\.graphql:3:21 SVC2202 Int cannot represent non-integer value: "1"\. /) as never,
        expect.stringMatching(/^a\.graphql:4:2 SVC2202 Field "item" argument "id" of type "ID!" is required/) as never,
      ],
    ],
    [
      'with a literal that is no value of a scalar of svc',
      {
        'a.graphql':
          'mutation A { buy(command: { itemId: 5, packing: { boxed: { at: true, size: M } }, sizes: [S] }) }',
      },
      [
        expect.stringMatching(/^a\.graphql:1:37 SVC2202 Expected value of type "UUID!", found 5\./) as never,
        expect.stringMatching(/^a\.graphql:1:64 SVC2202 Expected value of type "DateTime!", found true\./) as never,
      ],
    ],
    [
      'with two keys of a union',
      {
        'a.graphql':
          'mutation A { buy(command: { itemId: "1", packing: { boxed: { at: "2026-01-01T00:00:00Z", size: M }, loose: { pieces: 1, tags: [] } }, sizes: [S] }) }',
      },
      [expect.stringMatching(/^a\.graphql:1:51 SVC2202 .*PackingInput.*exactly one/) as never],
    ],
    [
      'with variables that are unused, undefined or of the wrong type',
      {
        'a.graphql':
          'query A($id: ID!, $size: String) {\n item(id: $it) { price }\n items(pageSize: $size) { next }\n}',
      },
      [
        expect.stringMatching(/^a\.graphql:1:9 SVC2202 Variable "\$id" is never used in operation "A"\./) as never,
        expect.stringMatching(
          /^a\.graphql:1:19 SVC2202 Variable "\$size" of type "String" used in position expecting type "Int"/,
        ) as never,
        expect.stringMatching(/^a\.graphql:2:11 SVC2202 Variable "\$it" is not defined by operation "A"\./) as never,
      ],
    ],
    [
      'with a fragment that is unknown, or on another type',
      { 'a.graphql': 'query A {\n item(id: 1) { ...None ... on Buyer { x } }\n}' },
      [
        expect.stringMatching(/^a\.graphql:2:19 SVC2202 Unknown fragment "None"\./) as never,
        expect.stringMatching(/^a\.graphql:2:31 SVC2202 Unknown type "Buyer"\./) as never,
      ],
    ],
    [
      'that asks for the schema',
      { 'a.graphql': 'query A { __schema { queryType { name } } }' },
      [expect.stringMatching(/^a\.graphql:1:11 SVC2202 The result of "__schema" has no type in a client\./) as never],
    ],
    [
      'with a variable of the client',
      { 'a.graphql': 'query A($svcAfterEvent: ID) { item(id: 1, afterEvent: $svcAfterEvent) { price } }' },
      [
        expect.stringMatching(
          /^a\.graphql:1:9 SVC2202 The client sets the variable "\$svcAfterEvent" itself\./,
        ) as never,
      ],
    ],
    [
      'without a name',
      { 'a.ts': call('graphql(`{ item(id: 1) { price } }`); graphql(`mutation { count(command: { what: "" }) }`)') },
      [
        'a.ts:2:10 SVC2203 The query has no name, after which its types are named. Give it one: query OrderList { … }.',
        expect.stringMatching(/^a\.ts:2:48 SVC2203 The mutation has no name/) as never,
      ],
    ],
    [
      'with the name of another one',
      {
        'a.graphql': 'query A { item(id: 1) { ...F } }\nfragment F on Item { price }',
        'b.ts': call(
          'graphql(`\nmutation A { count(command: { what: "" }) }`);\ngraphql(`fragment F on Item { itemId }`);',
        ),
      },
      [
        'b.ts:3:1 SVC2204 The operation A is also in a.graphql:1. Rename one of them: all files share the names.',
        'b.ts:4:10 SVC2204 The fragment F is also in a.graphql:2. Rename one of them: all files share the names.',
      ],
    ],
    [
      'that is a subscription without a field if a variable says so',
      {
        'a.graphql':
          'subscription S($is: Boolean!) { item(id: 1) @skip(if: $is) { price } }\nsubscription T($is: Boolean!) { ...Part }',
        'b.graphql': 'fragment Part on Subscription { ... @include(if: $is) { item(id: 1) { price } } }',
      },
      ['S', 'T'].map(
        (name, i) =>
          `a.graphql:${i + 1}:1 SVC2205 The field of the subscription ${name} has @skip or @include, and without it there are no results. Remove the directive.`,
      ),
    ],
    [
      'that cannot be read',
      { 'a.ts': call('graphql(text);\ngraphql(`query A { ${a} }`);\ngraphql`query A { b }`;\ngraphql();') },
      [2, 3, 4, 5].map(
        (line) => expect.stringMatching(new RegExp(`^a\\.ts:${line}:1 SVC2206 .* graphql\\(\`query …\`\\)`)) as never,
      ),
    ],
    [
      'with a second operation in one call',
      { 'a.ts': call('graphql(`query A { item(id: 1) { price } }\nquery B { item(id: 1) { price } }`);') },
      ['a.ts:3:1 SVC2207 The call has the operations A and B, but returns one document. Call graphql once for each.'],
    ],
  ];

  it.each(cases)('%s is reported at its place', (_title, texts, expected) => {
    expect(fixture.problems(texts)).toEqual(expected);
  });

  it('of a service without GraphQL is reported', () => {
    const model = fixture.serviceOf('export {};');
    expect(fixture.problems({ 'a.ts': call(' graphql(`query A { a }`);') }, model)).toEqual([
      expect.stringMatching(/^a\.ts:2:11 SVC2208 .*graphQLQuery/),
    ]);
    expect(fixture.problems({ 'a.ts': 'export {};' }, model)).toEqual([]);
  });

  it('has a case for every code', () => {
    const tested = cases.flatMap(([, texts]) => fixture.read(texts).diagnostics.map(({ code }) => code));
    expect([...new Set([...tested, 'SVC2208'])].toSorted()).toEqual(Object.keys(documentCodes));
  });
});

describe('the examples in docs/reference/diagnostics.md', () => {
  const page = readFileSync(new URL('../../../../docs/reference/diagnostics.md', import.meta.url), 'utf8');
  const examples = [...page.matchAll(/^### (SVC22\d\d):.*?^```ts\n(.*?)^```/gms)].map(([, code, text]) => ({
    code: code!,
    text: text!,
  }));
  const lists = ['orders', 'customers'].map(
    (name) => `export class Event${name} implements Event { a!: string }
      @perspective({ graphQLListQuery: '${name}' })
      export class List${name} implements Perspective<{ orderId: Uuid }, Event${name}> { apply(): never { throw 1; } }\n`,
  );

  it.each(examples)('trigger $code', ({ code, text }) => {
    const model = fixture.serviceOf(code === 'SVC2208' ? 'export {};' : lists.join(''));
    expect(fixture.read({ 'a.ts': call(text) }, model).diagnostics.map((found) => found.code)).toEqual([code]);
  });
});

describe('documents are found', () => {
  const found = (texts: Texts): (string | null)[] =>
    fixture
      .files(texts)
      .read()
      .map(({ call: { text } }) => text);

  it('in calls of the imported function, under any name and path', () => {
    const texts = {
      'a.ts': "import { x, graphql as gql } from '@/api/shop-documents';\ngql('a'); graphql('b');",
      'b.mjs': "import { graphql } from './shop-documents.ts';\nconst f = () => ({ x: [graphql(`c`)] });",
      'c.ts': "import { graphql } from 'gql.tada';\nimport './shop-documents';\ngraphql('d');",
      'd.ts': "import { graphql } from './other-shop-documents.js';\ngraphql('e');",
    };
    expect(found(texts)).toEqual(['a', 'c']);
  });

  it('in GraphQL files, but not in packages, hidden folders and generated files', () => {
    const texts = {
      'a.gql': 'a',
      'deep/er/b.graphql': 'b',
      'node_modules/x/c.graphql': 'c',
      '.next/d.graphql': 'd',
      'e.md': 'e',
      'api/shop-documents.ts': "import { graphql } from './shop-documents.js'; graphql('f')",
    };
    expect(found(texts)).toEqual(['a', 'b']);
  });

  it('again after a change', () => {
    const source = fixture.files({ 'a.graphql': 'a' });
    expect(source.read().map(({ call: { text } }) => text)).toEqual(['a']);
    writeFileSync(join(fixture.web, 'a.graphql'), 'bc');
    writeFileSync(join(fixture.web, 'b.graphql'), 'd');
    expect(source.read().map(({ call: { text } }) => text)).toEqual(['bc', 'd']);
    rmSync(join(fixture.web, 'a.graphql'));
    expect(source.read().map(({ call: { text } }) => text)).toEqual(['d']);
  });

  it('and not confused with schemas', () => {
    expect(fixture.problems({ 'schema.graphql': 'type Query { a: String }' })).toEqual([]);
  });
});
