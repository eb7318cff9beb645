/** What is done to all tables of a perspective at once, as SQL: by rebuilds and by migrations alike. */
import {
  asideName,
  mostAside,
  tableNamesOf,
  tableOfText,
  tableText,
  type PerspectiveTable,
} from '../models/perspective-table.js';
import { backupTable, nextTable } from './rewritten-table.js';
import type { ParameterMark, SqlRow, SqlStatement } from './sql-statement.js';

/** What is recorded of the tables of a perspective. */
export interface RecordedTables {
  readonly sequence: number;
  readonly revision: number;
  readonly table: PerspectiveTable;
  /** The table as text, as it is recorded. */
  readonly text: string;
}

/** `last`: what was read of the same tables before. They hardly ever look otherwise, and need not be parsed again. */
export function toRecordedTables(name: string, row: SqlRow, last?: RecordedTables): RecordedTables {
  const text = row['definition'] as string;
  return {
    sequence: Number(row['sequence']),
    revision: Number(row['revision']),
    table: last?.text === text ? last.table : tableOfText(name, text),
    text,
  };
}

/** Renders the statements of one database. They run in the order given, inside one transaction. */
export class PerspectiveChanges {
  /** Reads what is recorded of the tables with a name. */
  readonly read: string;
  readonly #createTables: (table: PerspectiveTable) => string;
  readonly #mark: ParameterMark;

  constructor(mark: ParameterMark, createTables: (table: PerspectiveTable) => string) {
    this.#mark = mark;
    this.#createTables = createTables;
    this.read = `SELECT sequence, revision, definition FROM svc_perspectives WHERE name = ${mark}1`;
  }

  /** Makes the tables, empty. Those that are to replace others begin at their revision, so that revisions never go back. */
  make(table: PerspectiveTable, revision: number): SqlStatement[] {
    return [
      { text: this.#createTables(table), values: [] },
      this.#statement(
        'INSERT INTO svc_perspectives (name, sequence, revision, definition) VALUES (?1, -1, ?2, ?3)',
        table.perspective,
        revision,
        tableText(table),
      ),
    ];
  }

  remove(name: string): SqlStatement[] {
    return [{ text: dropTables(name), values: [] }, ...this.#forget(name)];
  }

  /** Empties the tables. A batch that was begun before cannot be committed any more. */
  empty(table: PerspectiveTable): SqlStatement[] {
    const { perspective: name } = table;
    return [
      { text: `${dropCopy(name)} ${dropTables(name)} ${this.#createTables(table)}`, values: [] },
      this.#forgetStopped(name),
      this.#statement('UPDATE svc_perspectives SET sequence = -1, revision = revision + 1 WHERE name = ?1', name),
    ];
  }

  /** Replaces the tables of a perspective. */
  replace(perspective: string, live: RecordedTables, by: RecordedTables): SqlStatement[] {
    const from = by.table.perspective;
    // Above that of any of its models, as after a commit.
    const revision = Math.max(live.revision, by.revision) + 1;
    return [
      { text: `${dropCopy(perspective)} ${dropTables(perspective)}`, values: [] },
      ...this.#forget(perspective),
      this.#statement('UPDATE svc_perspectives SET revision = ?1 WHERE name = ?2', revision, from),
      ...this.#rename(from, perspective),
    ];
  }

  /** Records that the table of a perspective has another definition. Hosts that write to it notice. */
  redefine(table: PerspectiveTable): SqlStatement {
    const text = 'UPDATE svc_perspectives SET definition = ?1 WHERE name = ?2';
    return this.#statement(text, tableText(table), table.perspective);
  }

  /**
   * Retains the tables of a perspective because those of another version are about to replace them: hosts of their own version go on with
   * them. Null: both versions use the same models.
   */
  retain({ table }: RecordedTables, next: PerspectiveTable): SqlStatement[] | null {
    const { perspective } = table;
    const [version, nextVersion] = [table.version ?? null, next.version ?? null];
    if (version === null || nextVersion === null || version === nextVersion) return null;
    const aside = asideName(perspective, version);
    // What the next version once had is not what replaces the tables now.
    const obsolete = asideName(perspective, nextVersion);
    return [...this.remove(aside), ...this.remove(obsolete), ...this.#rename(perspective, aside)];
  }

  /** The names of retained tables that are too many: those that came least far, as no host works on them. */
  readTooManyRetained(perspective: string): SqlStatement {
    const text = `SELECT name FROM svc_perspectives WHERE name > ?1 || '~~~' AND name < ?1 || '~~~~'
      ORDER BY sequence DESC LIMIT 1000 OFFSET ${mostAside}`;
    return this.#statement(text, perspective);
  }

  #rename(from: string, to: string): SqlStatement[] {
    return [
      { text: renameTables(from, to), values: [] },
      this.#statement('UPDATE svc_perspectives SET name = ?1 WHERE name = ?2', to, from),
      this.#statement('UPDATE svc_perspectives_stopped SET perspective = ?1 WHERE perspective = ?2', to, from),
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

/** What `make` records, with its values in the text: for those who run nothing but SQL. */
export function recordTable(table: PerspectiveTable): string {
  const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;
  return `INSERT INTO svc_perspectives (name, sequence, revision, definition) VALUES (${text(table.perspective)}, -1, 0, ${text(tableText(table))})`;
}

export function dropBackup(perspective: string): string {
  return `DROP TABLE IF EXISTS ${backupTable(tableNamesOf(perspective).models)};`;
}

/** A copy of models is worth nothing when they are replayed: the migration that copies them begins again. */
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
