import { describe, expect, it } from 'vitest';
import {
  definitionText,
  requireValidDefinition,
  type ColumnDefinition,
  type TableDefinition,
} from './table-definition.js';

const id: ColumnDefinition = { name: 'id', type: 'text', required: true };
const revision: ColumnDefinition = { name: 'revision', type: 'integer' };
const definition: TableDefinition = { table: 'orders', key: 'id', revision: 'revision', columns: [id, revision] };

describe('the canonical text', () => {
  // Its hash is stored: with another text, all tables would be rewritten.
  it('has every property, in a fixed order', () => {
    const note: ColumnDefinition = { fill: { path: ['sum', 'total'], column: 'body' }, type: 'decimal', name: 'total' };
    expect(
      definitionText({
        perspective: 'Orders',
        version: '2',
        indexes: [['total', 'id']],
        columns: [id, note],
        revision: 'revision',
        key: 'id',
        table: 'orders',
      }),
    ).toBe(
      '{"table":"orders","key":"id","revision":"revision","columns":[{"name":"id","type":"text","required":true},' +
        '{"name":"total","type":"decimal","required":false,"fill":{"column":"body","path":["sum","total"]}}],' +
        '"indexes":[["total","id"]],"version":"2","perspective":"Orders"}',
    );
  });

  it('omits what is absent, except that a column is not required and there are no indexes', () => {
    expect(definitionText({ ...definition, columns: [revision] })).toBe(
      '{"table":"orders","key":"id","revision":"revision","columns":[{"name":"revision","type":"integer","required":false}],"indexes":[]}',
    );
    expect(definitionText({ ...definition, indexes: [], columns: [id, { ...revision, required: false }] })).toBe(
      definitionText(definition),
    );
  });
});

describe('a definition', () => {
  const defining = (fields: Partial<TableDefinition>) => () =>
    requireValidDefinition('perspective/Orders', { ...definition, ...fields });
  const because = (problem: string): unknown =>
    expect.objectContaining({
      code: 'SVC_INVALID_MIGRATION',
      message: `Cannot run the migration perspective/Orders: ${problem}.`,
    });
  const text = (name: string): ColumnDefinition => ({ name, type: 'text' });

  it('has a table name of at most 55 characters, so that its backup has a name', () => {
    expect(defining({ table: 'x'.repeat(55) })).not.toThrow();
    const long = 'x'.repeat(56);
    expect(defining({ table: long })).toThrow(
      because(`"${long}" is not a valid table name (letters, digits and _, at most 55 characters)`),
    );
  });

  it('has column names of at most 63 characters', () => {
    expect(defining({ columns: [id, revision, text('x'.repeat(63))] })).not.toThrow();
    const long = 'x'.repeat(64);
    expect(defining({ columns: [id, revision, text(long)] })).toThrow(
      because(`"${long}" is not a valid column name (letters, digits and _, at most 63 characters)`),
    );
  });

  it.each(['', '1st', 'a b', 'a"b', 'a-b', 'ä', ' a', 'a\n'])('has no name that is not plain: %j', (name) => {
    expect(defining({ table: name })).toThrow(
      because(`"${name}" is not a valid table name (letters, digits and _, at most 55 characters)`),
    );
    expect(defining({ columns: [text(name)] })).toThrow(
      because(`"${name}" is not a valid column name (letters, digits and _, at most 63 characters)`),
    );
  });

  it.each(['a', '_', 'A9', '_private_2'])('can have the name %s', (name) => {
    expect(defining({ table: name, columns: [id, revision, text(name)] })).not.toThrow();
  });

  it('has no two columns of one name, in any case', () => {
    expect(defining({ columns: [id, revision, text('ID')] })).toThrow(because('two columns have the name "ID"'));
    expect(defining({ columns: [id, revision, revision] })).toThrow(because('two columns have the name "revision"'));
    expect(defining({ columns: [id, revision, text('id2')] })).not.toThrow();
  });

  it.each<[string, Partial<TableDefinition>]>([
    ['its key', { key: 'none' }],
    ['its revision', { revision: 'none' }],
    ['an index', { indexes: [['id'], ['id', 'none']] }],
    [
      'the value for existing rows',
      { columns: [id, revision, { ...text('note'), fill: { column: 'none', path: ['note'] } }] },
    ],
  ])('has the column for %s', (_what, wrong) => {
    expect(defining(wrong)).toThrow(because('it has no column "none"'));
  });

  it('can fill a column from another, and index it', () => {
    expect(
      defining({
        columns: [id, revision, { ...text('note'), fill: { column: 'id', path: [] } }],
        indexes: [['note', 'id'], []],
      }),
    ).not.toThrow();
  });
});
