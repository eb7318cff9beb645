/** What is done to all tables of a perspective at once, as SQL: by rebuilds and by migrations alike. */
import { asTables, mostRetained, newTables, type ModelTables } from '../models/model-tables.js';
import { tableNamesOf, tableText, type PerspectiveTable } from '../models/perspective-table.js';
import type { RecordedTables } from './recorded-tables.js';
import { backupTable, nextTable } from './rewritten-table.js';
import type { ParameterMark, SqlStatement } from './sql-statement.js';

/** Renders the statements of one database. They run in the order given, inside one transaction. */
export class PerspectiveChanges {
  /** Reads what is recorded of the tables with a name. */
  readonly read: string;
  /** Reads what is recorded of the tables of a perspective in a role, those that came furthest first. */
  readonly readInRole: string;
  readonly #createTables: (table: PerspectiveTable, name: string) => string;
  readonly #mark: ParameterMark;

  constructor(mark: ParameterMark, createTables: (table: PerspectiveTable, name: string) => string) {
    this.#mark = mark;
    this.#createTables = createTables;
    this.read = `SELECT sequence, revision, definition FROM svc_perspectives WHERE name = ${mark}1`;
    this.readInRole = `SELECT name, perspective, role, sequence, revision, definition FROM svc_perspectives
      WHERE perspective = ${mark}1 AND role = ${mark}2 ORDER BY sequence DESC`;
  }

  /** Makes the tables, empty. Those that are to replace others begin at their revision, so that revisions never go back. */
  make({ name, perspective, role }: ModelTables, table: PerspectiveTable, revision: number): SqlStatement[] {
    return [
      { text: this.#createTables(table, name), values: [] },
      this.#statement(
        `INSERT INTO svc_perspectives (name, perspective, role, sequence, revision, definition)
         VALUES (?1, ?2, ?3, -1, ?4, ?5)`,
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

  /** Empties the tables. A batch that was begun before cannot be committed any more. */
  empty({ tables: { name }, table }: RecordedTables): SqlStatement[] {
    return [
      { text: `${dropCopy(name)} ${dropTables(name)} ${this.#createTables(table, name)}`, values: [] },
      this.#forgetStopped(name),
      this.#statement('UPDATE svc_perspectives SET sequence = -1, revision = revision + 1 WHERE name = ?1', name),
    ];
  }

  /** Replaces the tables of a perspective that serve, or did until they were retained. */
  replace(serving: RecordedTables, by: RecordedTables): SqlStatement[] {
    const { name } = serving.tables;
    // Above that of any of its models, as after a commit.
    const revision = Math.max(serving.revision, by.revision) + 1;
    return [
      { text: `${dropCopy(name)} ${dropTables(name)}`, values: [] },
      ...this.#forget(name),
      this.#statement('UPDATE svc_perspectives SET revision = ?1 WHERE name = ?2', revision, by.tables.name),
      ...this.#rename(by.tables.name, serving.tables),
    ];
  }

  /** Records that the table of a perspective has another definition. Hosts that write to it notice. */
  redefine(table: PerspectiveTable): SqlStatement {
    const text = 'UPDATE svc_perspectives SET definition = ?1 WHERE name = ?2';
    return this.#statement(text, tableText(table), table.perspective);
  }

  /**
   * Retains the tables that serve because those of another version are about to replace them: hosts of their own version go on with them.
   * Of too many in `retained`, those go that came least far, as no host works on them.
   */
  retain(serving: RecordedTables, next: PerspectiveTable, retained: readonly RecordedTables[]): SqlStatement[] {
    const { perspective } = serving.tables;
    const [version, nextVersion] = [serving.table.version ?? null, next.version ?? null];
    // Both versions use the same models, or it is not known whose they are.
    if (version === null || nextVersion === null || version === nextVersion) return [];
    // What either version once had is not what it has now.
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

/** All perspectives whose tables serve. */
export const perspectivesStatement =
  "SELECT name, sequence, revision, definition FROM svc_perspectives WHERE role = 'serving' ORDER BY name";

/** What `make` records of tables that serve, with its values in the text: for those who run nothing but SQL. */
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
