import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { essenceOf } from './content-hash.js';
import { isNewer, libraryVersion } from './library-version.js';
import { requireValidItems } from './migration-item.js';
import { canWorkWith, definitionOf, hasIndex, sameDefinition, strategyBetween } from './strategy.js';
import { definitionText, type ColumnDefinition, type TableDefinition } from './table-definition.js';

const base: readonly ColumnDefinition[] = [
  { name: 'key', type: 'text', required: true },
  { name: 'body', type: 'json' },
  { name: 'revision', type: 'integer' },
];
const of = (columns: readonly ColumnDefinition[] = [], more: Partial<TableDefinition> = {}): TableDefinition => ({
  table: 'svc_per_x',
  key: 'key',
  revision: 'revision',
  columns: [...base, ...columns],
  ...more,
});
const note: ColumnDefinition = { name: 'note', type: 'text' };
const filled: ColumnDefinition = { ...note, fill: { column: 'body', path: ['note'] } };

describe('the strategy', () => {
  it.each([
    ['DirectDdl', 'a new table', null, of()],
    ['DirectDdl', 'an optional column', of(), of([note])],
    ['DirectDdl', 'an index', of([note]), of([note], { indexes: [['note']] })],
    ['ColumnCopy', 'a column that must be filled', of(), of([filled])],
    ['ColumnCopy', 'a column that is required', of(), of([{ ...note, required: true }])],
    ['ColumnCopy', 'a column that becomes required', of([note]), of([{ ...note, required: true }])],
    ['ColumnCopy', 'a column that is filled from another column', of([note]), of([filled])],
    ['DirectDdl', 'the same definition', of([filled], { indexes: [['note']] }), of([filled], { indexes: [['note']] })],
    ['DirectDdl', 'a column that is still not required', of([note]), of([{ ...note, required: false }])],
    ['ColumnCopy', 'a column that is no longer required', of([{ ...note, required: true }]), of([note])],
    ['ColumnCopy', 'a column that is no longer filled', of([filled]), of([note])],
    [
      'ColumnCopy',
      'a column that is filled from another path',
      of([filled]),
      of([{ ...note, fill: { column: 'body', path: ['text'] } }]),
    ],
    [
      'ColumnCopy',
      'a column that is filled from a column of another name',
      of([filled]),
      of([{ ...note, fill: { column: 'key', path: ['note'] } }]),
    ],
    [
      'ColumnCopy',
      'an index with another order of columns',
      of([note], { indexes: [['key', 'note']] }),
      of([note], { indexes: [['note', 'key']] }),
    ],
    [
      'ColumnCopy',
      'another revision',
      of([{ ...note, type: 'integer' }]),
      of([{ ...note, type: 'integer' }], { revision: 'note' }),
    ],
    ['EventReplay', 'another key', of([note]), of([note], { key: 'note' })],
    ['EventReplay', 'a first version', of(), of([], { version: '1' })],
    [
      'EventReplay',
      'a removed column and an additional one, which must be filled',
      of([note]),
      of([{ ...filled, name: 'text' }]),
    ],
    ['ColumnCopy', 'a removed index', of([note], { indexes: [['note']] }), of([note])],
    ['EventReplay', 'a removed column', of([note]), of()],
    ['EventReplay', 'a column of another type', of([note]), of([{ ...note, type: 'integer' }])],
    ['EventReplay', 'a new version', of([], { version: '1' }), of([], { version: '2' })],
  ])('is %s for %s', (strategy, _what, old, next) => expect(strategyBetween(old, next)).toBe(strategy));
});

it.each([
  [true, 'the same definition', of(), of()],
  [true, 'an additional column', of(), of([note])],
  [false, 'an additional required column, which it would not write', of(), of([{ ...note, required: true }])],
  [false, 'a missing column', of([note]), of()],
  [false, 'a column of another type', of([note]), of([{ ...note, type: 'integer' }])],
  [true, 'other indexes', of([note]), of([note], { indexes: [['note']] })],
  [true, 'an additional column that is explicitly not required', of(), of([{ ...note, required: false }])],
  [false, 'an optional and a required additional column', of(), of([note, { ...note, name: 'text', required: true }])],
  [false, 'another key', of([note]), of([note], { key: 'note' })],
  [false, 'another revision', of([note]), of([note], { revision: 'note' })],
])('returns %s for a program that finds %s', (can, _what, mine, theirs) => expect(canWorkWith(mine, theirs)).toBe(can));

it('an index is known by its columns and their order', () => {
  const indexed = of([note], { indexes: [['note'], ['key', 'note']] });
  expect(hasIndex(indexed, ['note'])).toBe(true);
  expect(hasIndex(indexed, ['key', 'note'])).toBe(true);
  expect(hasIndex(indexed, ['note', 'key'])).toBe(false);
  expect(hasIndex(indexed, ['key'])).toBe(false);
  expect(hasIndex(of([note]), ['note'])).toBe(false);
});

it('a stored definition is the same after it was parsed', () => {
  const definition = of([filled, { ...note, name: 'text', required: true }], { indexes: [['note']], version: '1' });
  expect(sameDefinition(definitionOf(definitionText(definition))!, definition)).toBe(true);
  expect(sameDefinition(definition, of())).toBe(false);
  expect(definitionOf(null)).toBeNull();
});

it.each([
  ['0.2.0', '0.1.9', true],
  ['0.10.0', '0.9.0', true],
  ['1.0.0', '1.0.0', false],
  ['1.0.0', '1.0.0-beta', true],
  ['1.0.0-alpha', '1.0.0-beta', false],
  ['0.1.0', '0.2.0', false],
])('compares %s with %s (newer: %s)', (a, b, newer) => expect(isNewer(a, b)).toBe(newer));

it('knows the version of its package', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  expect(libraryVersion).toBe(manifest.version);
});

it('hashes SQL without comments and indentation', () => {
  expect(essenceOf('SELECT 1 -- one\n  FROM x')).toBe('SELECT 1 FROM x');
});

it.each([
  ['a table name that contains SQL', of([], { table: 'x"; DROP TABLE y; --' }), 'is not a valid table name'],
  ['a column name with a space', of([{ name: 'a b', type: 'text' }]), '"a b" is not a valid column name'],
  ['two columns of one name', of([note, { ...note, name: 'Note' }]), 'two columns have the name "Note"'],
  ['a key that is not a column', of([], { key: 'id' }), 'it has no column "id"'],
  ['a table whose name is too long for its backup', of([], { table: 'x'.repeat(56) }), 'at most 55'],
])('rejects %s before anything is run', (_what, definition, why) => {
  expect(() => requireValidItems([{ kind: 'table', key: 'perspective/X', definition }])).toThrow(
    expect.objectContaining({ code: 'SVC_INVALID_MIGRATION', message: expect.stringContaining(why) as string }),
  );
});

it('rejects two items with one key', () => {
  const item = { kind: 'sql', key: 'infrastructure/x', creates: 'x', steps: ['CREATE TABLE x (id int)'] } as const;
  expect(() => requireValidItems([item, item])).toThrow('Two migrations have the key infrastructure/x.');
});
