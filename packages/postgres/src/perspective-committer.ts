import {
  asTables,
  PerspectiveMovedError,
  withFilledColumns,
  type ModelTables,
  type PerspectiveCommit,
  type RecordedTables,
} from '@svc/core/storage';
import type { Pool } from 'pg';
import { isOfOtherColumns } from './failures.js';
import { replaceRewinds } from './open-rewinds.js';
import { commitPieces, furtherStatements, type Statement } from './perspective-commit.js';
import type { PerspectiveTables } from './perspective-tables.js';
import { rawTypes } from './raw-types.js';
import type { Row } from './row.js';
import { alone, inTransaction } from './transaction.js';

/** Commits batches of perspectives, each to the current columns of its table. */
export class PerspectiveCommitter {
  readonly #pool: Pool;
  readonly #tables: PerspectiveTables;
  /** The names of statements by their texts, so that each is prepared once for each connection. */
  readonly #prepared = new Map<string, string>();

  constructor(pool: Pool, tables: PerspectiveTables) {
    this.#pool = pool;
    this.#tables = tables;
  }

  async commit(commit: PerspectiveCommit): Promise<void> {
    const tables = commit.tables ?? asTables(commit.perspective);
    const further = furtherStatements(commit, tables);
    for (let recorded: RecordedTables | null = await this.#tables.make(tables); recorded !== null;) {
      recorded = await this.#tables.withTables(tables, () => this.#tryToCommit(commit, recorded!, further));
    }
  }

  /** Null: the batch is committed. Otherwise the current tables, for a retry. */
  async #tryToCommit(
    commit: PerspectiveCommit,
    recorded: RecordedTables,
    further: readonly Statement[],
  ): Promise<RecordedTables | null> {
    const { perspective, from } = commit;
    const { tables, table, text } = recorded;
    this.#tables.requireOwnVersion(recorded);
    const models = withFilledColumns(commit.models, this.#tables.ownOf(perspective).columns, table.columns);
    const pieces = commitPieces(commit, models, recorded);
    const first = this.#named(tables, pieces.first);
    const isOne = pieces.isOne && further.length === 0 && commit.rewinds === undefined;
    try {
      const isCommitted = isOne
        ? (await alone(this.#pool, first)).length > 0
        : await inTransaction(this.#pool, async (client) => {
            const { rows } = await client.query<Row>(first);
            const revision = rows[0]?.['revision'];
            if (revision === undefined || revision === null) return false;
            for (const statement of pieces.further(revision)) await client.query(statement);
            for (const statement of further) await client.query(statement);
            if (commit.rewinds === undefined || (await replaceRewinds(client, commit.rewinds))) return true;
            throw new PerspectiveMovedError(perspective, from.sequence, from.sequence);
          });
      if (isCommitted) return null;
    } catch (error) {
      if (!isOfOtherColumns(error)) throw error;
    }
    const now = await this.#tables.makeAgain(tables);
    if (now.text === text) throw new PerspectiveMovedError(perspective, from.sequence, now.sequence);
    return now;
  }

  /** Names only statements for serving tables. Other tables are temporary, so preparing their statements is not worthwhile. */
  #named({ role }: ModelTables, statement: Statement): Statement & { types: typeof rawTypes; name?: string } {
    if (role !== 'serving') return { ...statement, types: rawTypes };
    let name = this.#prepared.get(statement.text);
    if (name === undefined) {
      name = `svc-commit-perspective-${this.#prepared.size}`;
      this.#prepared.set(statement.text, name);
    }
    return { ...statement, types: rawTypes, name };
  }
}
