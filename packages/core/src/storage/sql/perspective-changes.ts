/** The SQL that changes all tables of a perspective together, for rebuilds and migrations. */
import { asTables, mostRetained, newTables, type ModelTables } from '../models/model-tables.js';
import { tableNamesOf, tableText, type PerspectiveTable } from '../models/perspective-table.js';
import type { RecordedTables } from './recorded-tables.js';
import { backupTable, nextTable } from './rewritten-table.js';
import type { ParameterMark, SqlStatement } from './sql-statement.js';

/** `MigrationStatus.Skipped`, which this layer cannot import. */
const skipped = 3;

/** Renders the statements of one database. They run in the order given, inside one transaction. */
export class PerspectiveChanges {
  /** Reads the record of the tables with a name. */
  readonly read: string;
  /** Reads the records of a perspective's tables in a role, those with the greatest progress first. */
  readonly readInRole: string;
  /** Reads the records of all serving tables. */
  readonly readServing: string;
  /** Reads the records of all tables of a perspective, in any role. */
  readonly readAll: string;
  readonly #columns: string;
  readonly #createTables: (table: PerspectiveTable, name: string) => string;
  readonly #mark: ParameterMark;

  /** `segments`: the expression for the progress of segments, in databases that have them. */
  constructor(
    mark: ParameterMark,
    createTables: (table: PerspectiveTable, name: string) => string,
    segments: string | null = null,
  ) {
    this.#mark = mark;
    this.#createTables = createTables;
    const columns = `sequence, revision, definition, generation, changed${segments === null ? '' : `, ${segments} AS parts`}`;
    this.#columns = columns;
    this.read = `SELECT ${columns} FROM svc_perspectives WHERE name = ${mark}1`;
    this.readInRole = this.readWhere(`perspective = ${mark}1 AND role = ${mark}2 ORDER BY sequence DESC`);
    this.readAll = this.readWhere(`perspective = ${mark}1 ORDER BY name`);
    this.readServing = `SELECT name, ${columns} FROM svc_perspectives WHERE role = 'serving' ORDER BY name`;
  }

  /** Reads the records that meet a condition. */
  readWhere(condition: string): string {
    return `SELECT name, perspective, role, ${this.#columns} FROM svc_perspectives WHERE ${condition}`;
  }

  /** Creates empty tables. Tables that replace others start at their revision, so that revisions never decrease. */
  make({ name, perspective, role }: ModelTables, table: PerspectiveTable, revision: number): SqlStatement[] {
    return [
      { text: this.#createTables(table, name), values: [] },
      this.#statement(
        `INSERT INTO svc_perspectives (name, perspective, role, sequence, revision, changed, definition)
         VALUES (?1, ?2, ?3, -1, ?4, ?4, ?5)`,
        name,
        perspective,
        role,
        revision,
        tableText(table),
      ),
    ];
  }

  remove({ name }: ModelTables): SqlStatement[] {
    return [{ text: dropTables(name), values: [] }, ...this.#forget(name)];
  }

  /** Removes all tables of a perspective, those in `all` and copies by migrations. A program that has the perspective migrates it from nothing. */
  removeAll(perspective: string, all: readonly ModelTables[]): SqlStatement[] {
    return [
      { text: `${dropCopy(perspective)} ${dropBackup(perspective)}`, values: [] },
      ...all.flatMap((tables) => this.remove(tables)),
      this.#statement(
        `UPDATE svc_schema_migrations SET hash = NULL, definition = NULL, previous_hashes = '[]', target_hash = NULL, progress = NULL,
           backup = NULL, requires_version = NULL, failure_reason = NULL, error = NULL, applied_at = NULL, status = ?1, description = ?2
         WHERE key = ?3`,
        skipped,
        'The tables were removed by an operator. A program with the perspective creates them again.',
        `perspective/${perspective}`,
      ),
    ];
  }

  /** Empties the tables. A batch that was started before can no longer be committed. */
  empty({ tables: { name }, table }: RecordedTables): SqlStatement[] {
    return [
      { text: `${dropCopy(name)} ${dropTables(name)} ${this.#createTables(table, name)}`, values: [] },
      this.#forgetStopped(name),
      this.#statement(
        'UPDATE svc_perspectives SET sequence = -1, revision = revision + 1, changed = revision + 1 WHERE name = ?1',
        name,
      ),
    ];
  }

  /** Replaces the serving tables of a perspective, even if they have just been retained. */
  replace(serving: RecordedTables, by: RecordedTables): SqlStatement[] {
    const { name } = serving.tables;
    // Greater than the revision of any of its models, as after a commit.
    const revision = Math.max(serving.revision, by.revision) + 1;
    return [
      { text: `${dropCopy(name)} ${dropTables(name)}`, values: [] },
      ...this.#forget(name),
      this.#statement(
        'UPDATE svc_perspectives SET revision = ?1, changed = ?1 WHERE name = ?2',
        revision,
        by.tables.name,
      ),
      ...this.#rename(by.tables.name, serving.tables),
    ];
  }

  /** Records that the table of a perspective has another definition. Hosts that write to it notice. */
  redefine(table: PerspectiveTable): SqlStatement {
    const text = 'UPDATE svc_perspectives SET definition = ?1 WHERE name = ?2';
    return this.#statement(text, tableText(table), table.perspective);
  }

  /**
   * Retains the serving tables because those of another version are about to replace them: hosts of their own version continue to use them. If
   * `retained` has too many, those with the least progress are removed, because no host updates them.
   */
  retain(serving: RecordedTables, next: PerspectiveTable, retained: readonly RecordedTables[]): SqlStatement[] {
    const { perspective } = serving.tables;
    const [version, nextVersion] = [serving.table.version ?? null, next.version ?? null];
    // Both versions use the same models, or a version is unknown.
    if (version === null || nextVersion === null || version === nextVersion) return [];
    // Tables that were retained earlier for either version are outdated.
    const isObsolete = ({ table }: RecordedTables): boolean =>
      table.version === version || table.version === nextVersion;
    const others = [serving, ...retained.filter((one) => !isObsolete(one))].toSorted((a, b) => b.sequence - a.sequence);
    const surplus = others.slice(mostRetained);
    const removed = [...retained.filter(isObsolete), ...surplus.filter((one) => one !== serving)];
    return [
      ...removed.flatMap(({ tables }) => this.remove(tables)),
      ...(surplus.includes(serving) ? [] : this.#rename(serving.tables.name, newTables(perspective, 'retained'))),
    ];
  }

  #rename(from: string, { name, perspective, role }: ModelTables): SqlStatement[] {
    const text = 'UPDATE svc_perspectives SET name = ?1, perspective = ?2, role = ?3 WHERE name = ?4';
    return [
      { text: renameTables(from, name), values: [] },
      this.#statement(text, name, perspective, role, from),
      this.#statement('UPDATE svc_perspectives_stopped SET perspective = ?1 WHERE perspective = ?2', name, from),
    ];
  }

  #forget(name: string): SqlStatement[] {
    return [this.#statement('DELETE FROM svc_perspectives WHERE name = ?1', name), this.#forgetStopped(name)];
  }

  #forgetStopped(name: string): SqlStatement {
    return this.#statement('DELETE FROM svc_perspectives_stopped WHERE perspective = ?1', name);
  }

  #statement(text: string, ...values: SqlStatement['values']): SqlStatement {
    return { text: text.replaceAll('?', this.#mark), values };
  }
}

/** The statement with which `make` records serving tables, with literal values, for migrations that are plain SQL. */
export function recordTable(table: PerspectiveTable): string {
  const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;
  const { name, perspective, role } = asTables(table.perspective);
  return `INSERT INTO svc_perspectives (name, perspective, role, sequence, revision, definition)
    VALUES (${text(name)}, ${text(perspective)}, ${text(role)}, -1, 0, ${text(tableText(table))})`;
}

/** The statement that drops the backup of a perspective's models. */
export function dropBackup(perspective: string): string {
  return `DROP TABLE IF EXISTS ${backupTable(tableNamesOf(perspective).models)};`;
}

/** When models are replayed, a copy of them is outdated: the migration that copies them starts again. */
function dropCopy(perspective: string): string {
  return `DROP TABLE IF EXISTS ${nextTable(tableNamesOf(perspective).models)};`;
}

function dropTables(name: string): string {
  const names: readonly string[] = Object.values(tableNamesOf(name));
  return names.map((table) => `DROP TABLE IF EXISTS ${table};`).join(' ');
}

function renameTables(from: string, to: string): string {
  const [old, next] = [tableNamesOf(from), tableNamesOf(to)];
  const kinds = ['models', 'sources', 'snapshots'] as const;
  return kinds.map((kind) => `ALTER TABLE ${old[kind]} RENAME TO ${next[kind]};`).join(' ');
}
