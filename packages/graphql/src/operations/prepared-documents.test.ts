import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { RequestError } from '../errors/index.js';
import { settingsOf } from '../options.js';
import { PreparedDocuments } from './prepared-documents.js';

const schema = buildSchema('type Query { service(a: Int): String! }');

function documents(size = 500): PreparedDocuments {
  const settings = settingsOf({ development: true });
  return new PreparedDocuments(schema, settings, { limits: settings.limits, size, usesBeforeCompilation: 1 });
}

describe('a document that clients repeat', () => {
  const repeated = '{ service }';

  it('stays cached however many others fail', () => {
    const prepared = documents();
    const first = prepared.operation(repeated, null);
    expect(prepared.operation(repeated, null)).toBe(first);
    for (let i = 0; i < 1_100; i++) expect(() => prepared.operation(`{ unknown${i} }`, null)).toThrow(RequestError);
    expect(prepared.operation(repeated, null)).toBe(first);
  });

  it('stays cached however many others are sent once', () => {
    const prepared = documents();
    const first = prepared.operation(repeated, null);
    prepared.operation(repeated, null);
    for (let i = 0; i < 1_100; i++) prepared.operation(`{ service } #${i}`, null);
    expect(prepared.operation(repeated, null)).toBe(first);
  });

  it('is prepared again after many others were repeated: memory is bounded', () => {
    const prepared = documents(10);
    const first = prepared.operation(repeated, null);
    prepared.operation(repeated, null);
    for (let i = 0; i < 40; i++) {
      prepared.operation(`{ service } #${i}`, null);
      prepared.operation(`{ service } #${i}`, null);
    }
    expect(prepared.operation(repeated, null)).not.toBe(first);
  });
});

it.each([
  ['{ __schema { queryType { name } } }', true],
  ['{ a: __type(name: "Query") { name } __typename }', true],
  ['{ __typename }', false],
  ['{ __schema { queryType { name } } service }', false],
  ['{ __schema { queryType { name } } ... on Query { service } }', false],
  ['query ($name: String!) { __type(name: $name) { name } }', false],
])('knows whether every caller gets the same result: %s: %s', (text, expected) => {
  expect(documents().operation(text, null).isSchemaOnly).toBe(expected);
});
