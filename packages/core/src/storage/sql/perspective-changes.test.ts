/**
 * What the statements of rebuilds and migrations change, and in which order. Databases run them in their own tests; these tests read which tables
 * a statement names.
 */
import { describe, expect, it } from 'vitest';
import { asTables, type ModelTables, type TableRole } from '../models/model-tables.js';
import { tableNamesOf, tableText, type PerspectiveTable } from '../models/perspective-table.js';
import { dropBackup, PerspectiveChanges, recordTable } from './perspective-changes.js';
import type { RecordedTables } from './recorded-tables.js';
import type { SqlStatement } from './sql-statement.js';

const createTables = (_table: PerspectiveTable, name: string): string => `CREATE ${tableNamesOf(name).models}`;
const changes = new PerspectiveChanges('?', createTables);

const table = (version: string | null | undefined): PerspectiveTable => ({
  perspective: 'Orders',
  columns: [{ name: 'state', type: 'text' }],
  ...(version !== undefined && { version }),
});

function recorded(
  name: string,
  version: string | null | undefined,
  fields: Partial<RecordedTables> = {},
): RecordedTables {
  const role: TableRole = name === 'Orders' ? 'serving' : 'retained';
  const tables: ModelTables = { perspective: 'Orders', role, name };
  const own = table(version);
  const progress = { sequence: 10, revision: 5, segments: [], changed: 5 };
  return { tables, table: own, text: tableText(own), generation: 'g', ...progress, ...fields };
}

/** Statements in short: `drop A`, `rename A to B`, or the first words of a change of a record with its values. */
function short(statements: readonly SqlStatement[]): string[] {
  return statements.flatMap(({ text, values }) => {
    if (values.length > 0) return `${text.split(' ', 3).join(' ')}: ${values.join(', ')}`;
    const all = text.split(';').map((part) => part.trim());
    return all.flatMap((part) => {
      const [, dropped] = /^DROP TABLE IF EXISTS (\S+)$/.exec(part) ?? [];
      if (dropped !== undefined) return `drop ${dropped}`;
      const [, from, to] = /^ALTER TABLE (\S+) RENAME TO (\S+)$/.exec(part) ?? [];
      return from === undefined ? (part === '' ? [] : part) : `rename ${from} to ${to}`;
    });
  });
}

const dropped = (name: string): string[] => Object.values(tableNamesOf(name)).map((one: string) => `drop ${one}`);
const forgotten = (name: string): string[] => [
  `DELETE FROM svc_perspectives: ${name}`,
  `DELETE FROM svc_perspectives_stopped: ${name}`,
];

it('new tables are created, then recorded without progress at the revision of those they replace', () => {
  const tables: ModelTables = { perspective: 'Orders', role: 'rebuilding', name: 'Orders.1' };
  const [created, record] = changes.make(tables, table('v1'), 4);
  expect(created).toEqual({ text: `CREATE ${tableNamesOf('Orders.1').models}`, values: [] });
  expect(record!.values).toEqual(['Orders.1', 'Orders', 'rebuilding', 4, tableText(table('v1'))]);
  const [, columns, values] = /\(([^()]*)\)\s+VALUES \(([^()]*)\)/.exec(record!.text)!;
  const stored = columns!.split(', ').map((column, i) => [column, values!.split(', ')[i]]);
  expect(Object.fromEntries(stored)).toEqual({
    name: '?1',
    perspective: '?2',
    role: '?3',
    sequence: '-1',
    revision: '?4',
    changed: '?4',
    definition: '?5',
  });
});

it('parameters have the mark of the database', () => {
  const postgres = new PerspectiveChanges('$', createTables);
  const [, record] = postgres.make(asTables('Orders'), table('v1'), 0);
  expect(record!.text).toContain('($1, $2, $3, -1, $4, $4, $5)');
  expect([postgres.read, postgres.readInRole].every((text) => text.includes('$1') && !text.includes('?'))).toBe(true);
  expect(postgres.readInRole).toContain('$2');
});

it('records are read with the progress of segments in databases that have them', () => {
  const { read, readInRole, readServing } = new PerspectiveChanges('$', createTables, '(SELECT json)');
  for (const text of [read, readInRole, readServing]) expect(text).toContain(', (SELECT json) AS parts FROM');
  for (const text of [changes.read, changes.readInRole, changes.readServing]) expect(text).not.toContain('parts');
});

it('removed tables are dropped, and their records and stopped streams are deleted', () => {
  expect(short(changes.remove(asTables('Orders')))).toEqual([...dropped('Orders'), ...forgotten('Orders')]);
});

it('all tables of a removed perspective are dropped with copies and backups, and its migrations count as not applied', () => {
  const retained: ModelTables = { perspective: 'Orders', role: 'retained', name: 'Orders.1' };
  const statements = changes.removeAll('Orders', [asTables('Orders'), retained]);
  const { models } = tableNamesOf('Orders');
  expect(short(statements.slice(0, -1))).toEqual([
    `drop ${models}__next`,
    `drop ${models}__backup`,
    ...dropped('Orders'),
    ...forgotten('Orders'),
    ...dropped('Orders.1'),
    ...forgotten('Orders.1'),
  ]);
  const { text, values } = statements.at(-1)!;
  expect(text).toMatch(/^UPDATE svc_schema_migrations SET hash = NULL, definition = NULL, /);
  expect(values.at(-1)).toBe('perspective/Orders');
});

it('emptied tables are dropped with the copy of a migration and created again, one revision later', () => {
  const statements = changes.empty(recorded('Orders', 'v1'));
  expect(short(statements)).toEqual([
    'drop svc_perspective_orders__next',
    ...dropped('Orders'),
    'CREATE svc_perspective_orders',
    'DELETE FROM svc_perspectives_stopped: Orders',
    'UPDATE svc_perspectives SET: Orders',
  ]);
  const { text } = statements.at(-1)!;
  for (const change of ['sequence = -1', 'revision = revision + 1', 'changed = revision + 1', 'WHERE name = ?1']) {
    expect(text).toContain(change);
  }
});

describe('tables that replace the serving ones', () => {
  it('get their names after those are dropped, with their stopped streams', () => {
    const by = recorded('Orders.1', 'v1', { revision: 2 });
    const [old, own] = [tableNamesOf('Orders.1'), tableNamesOf('Orders')];
    expect(short(changes.replace(recorded('Orders', 'v1'), by))).toEqual([
      'drop svc_perspective_orders__next',
      ...dropped('Orders'),
      ...forgotten('Orders'),
      'UPDATE svc_perspectives SET: 6, Orders.1',
      `rename ${old.models} to ${own.models}`,
      `rename ${old.sources} to ${own.sources}`,
      `rename ${old.snapshots} to ${own.snapshots}`,
      'UPDATE svc_perspectives SET: Orders, Orders, serving, Orders.1',
      'UPDATE svc_perspectives_stopped SET: Orders, Orders.1',
    ]);
  });

  it.each([
    [5, 2, 6],
    [2, 5, 6],
    [5, 5, 6],
  ])('have a revision greater than %d and %d', (serving, by, revision) => {
    const statements = changes.replace(
      recorded('Orders', 'v1', { revision: serving }),
      recorded('Orders.1', 'v1', { revision: by }),
    );
    const change = statements.find(({ text }) => text.includes('SET revision = ?1, changed = ?1'));
    expect(change!.values).toEqual([revision, 'Orders.1']);
  });
});

it('a new definition is recorded for the serving tables', () => {
  const { text, values } = changes.redefine(table('v2'));
  expect(values).toEqual([tableText(table('v2')), 'Orders']);
  expect(text).toContain('SET definition = ?1 WHERE name = ?2');
});

describe('the serving tables, before those of another version replace them,', () => {
  const serving = (fields: Partial<RecordedTables> = {}): RecordedTables => recorded('Orders', 'v1', fields);
  const retain = (retained: readonly RecordedTables[], own = serving(), next = table('v2')): string[] =>
    short(changes.retain(own, next, retained));
  /** The names of the tables that are removed, or retained under another name. */
  const outcomeOf = (statements: readonly string[]): string[] =>
    statements.flatMap((one) => {
      const [, removed] = /^DELETE FROM svc_perspectives: (.*)$/.exec(one) ?? [];
      const [, kept] = /^UPDATE svc_perspectives SET: .*, retained, (.*)$/.exec(one) ?? [];
      return removed === undefined ? (kept === undefined ? [] : `retain ${kept}`) : `remove ${removed}`;
    });

  it('are renamed, with their record and their stopped streams', () => {
    const statements = retain([]);
    const [, name] = /: (Orders\.\S+), Orders, retained, Orders$/.exec(statements[3]!)!;
    expect(statements).toEqual([
      `rename svc_perspective_orders to ${tableNamesOf(name!).models}`,
      `rename svc_sources_orders to ${tableNamesOf(name!).sources}`,
      `rename svc_snapshots_orders to ${tableNamesOf(name!).snapshots}`,
      `UPDATE svc_perspectives SET: ${name}, Orders, retained, Orders`,
      `UPDATE svc_perspectives_stopped SET: ${name}, Orders`,
    ]);
  });

  it.each<[string, string | null | undefined, string | null | undefined]>([
    ['is the same', 'v1', 'v1'],
    ['is unknown', null, 'v2'],
    ['is missing', undefined, 'v2'],
    ['of the next tables is unknown', 'v1', null],
    ['of the next tables is missing', 'v1', undefined],
    ['of both is unknown', null, null],
  ])('stay as they are if the version %s', (_what, own, next) => {
    const retained = [recorded('Orders.a', 'v2')];
    expect(retain(retained, recorded('Orders', own), table(next))).toEqual([]);
  });

  it('are retained together with one of a third version', () => {
    expect(outcomeOf(retain([recorded('Orders.a', 'v0')]))).toEqual(['retain Orders']);
  });

  it('take the place of tables that were retained earlier for either version', () => {
    const retained = [recorded('Orders.a', 'v1', { sequence: 99 }), recorded('Orders.b', 'v2', { sequence: 99 })];
    expect(outcomeOf(retain(retained))).toEqual(['remove Orders.a', 'remove Orders.b', 'retain Orders']);
  });

  it('take the place of those with the least progress if there are too many', () => {
    const retained = [recorded('Orders.a', 'v8', { sequence: 7 }), recorded('Orders.b', 'v9', { sequence: 8 })];
    expect(outcomeOf(retain(retained))).toEqual(['remove Orders.a', 'retain Orders']);
    expect(outcomeOf(retain(retained.toReversed()))).toEqual(['remove Orders.a', 'retain Orders']);
  });

  it('are not retained if they have the least progress, and are left to be replaced', () => {
    const retained = [recorded('Orders.a', 'v8', { sequence: 11 }), recorded('Orders.b', 'v9', { sequence: 12 })];
    expect(outcomeOf(retain(retained))).toEqual([]);
    const more = [...retained, recorded('Orders.c', 'v7', { sequence: 11 })];
    expect(outcomeOf(retain(more))).toEqual(['remove Orders.c']);
  });

  it('are counted without those that are removed for their version', () => {
    const retained = [recorded('Orders.a', 'v2', { sequence: 99 }), recorded('Orders.b', 'v8', { sequence: 3 })];
    expect(outcomeOf(retain(retained))).toEqual(['remove Orders.a', 'retain Orders']);
  });
});

it('a migration that is plain SQL records serving tables with literal values', () => {
  const named: PerspectiveTable = { perspective: "O'Neil", columns: [{ name: "it's", type: 'text' }], version: 'v1' };
  const text = recordTable(named);
  expect(text).toContain("('O''Neil', 'O''Neil', 'serving', -1, 0, '");
  expect(text).toContain(`'${tableText(named).replaceAll("'", "''")}')`);
});

it('the backup of the models of a perspective is dropped if it exists', () => {
  expect(dropBackup('Orders')).toBe('DROP TABLE IF EXISTS svc_perspective_orders__backup;');
});
