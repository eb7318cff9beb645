import { type Uuid } from '@svc/core';
import {
  asideName,
  idsIn,
  isAsideName,
  isAt,
  isSameVersion,
  keptPerspective,
  layoutOf,
  listStatement,
  missingColumn,
  modelsOf,
  mostOwnersListed,
  ownersStatement,
  PerspectiveDefinedOtherwiseError,
  PerspectiveMovedError,
  perspectiveOfName,
  PropertyNotReadyError,
  sourcesPerPage,
  tableNamesOf,
  tableOfText,
  toRecordedTables,
  toSnapshot,
  toSource,
  toStopped,
  withFilledColumns,
  type BesideTables,
  type KeptPerspective,
  type ModelQuery,
  type ModelRecord,
  type ModelSnapshot,
  type OpenRewind,
  type PerspectiveCommit,
  type PerspectiveStanding,
  type PerspectiveStorage,
  type PerspectiveTable,
  type Progress,
  type RecordedTables,
  type SourceKey,
  type SourcePage,
  type StoppedStream,
} from '@svc/core/storage';
import type { Pool } from 'pg';
import { isMissingTable } from './failures.js';
import { replaceRewinds } from './open-rewinds.js';
import { emptyTables, holdTables, recordedStatement, removeTables, replaceTables } from './perspective-changes.js';
import { commitPieces, furtherStatements, type Statement } from './perspective-commit.js';
import { listDialect, modelOf } from './perspective-rows.js';
import { PerspectiveTables } from './perspective-tables.js';
import { rawTypes } from './raw-types.js';
import type { Asking, Reader, Value } from './reader.js';
import type { Row } from './rows.js';
import { readStandings } from './standings.js';
import { inTransaction } from './transaction.js';

/**
 * Models can be made anew from the events: keeping them does not wait for the disk. A crash of the server may undo what was kept
 * last, and never without what was kept later, such as the events that tell of it.
 */
const derived = ['synchronous_commit = off'];

/** The perspectives in a PostgreSQL database: a table of models for each, with its sources and snapshots beside it. */
export class PostgresPerspectives implements PerspectiveStorage {
  readonly largestCommit = Infinity;
  readonly #reader: Reader;
  readonly #pool: Pool;
  readonly #open: () => Promise<void>;
  readonly #asking: () => Asking;
  readonly #tables: PerspectiveTables;
  /** What statements are called by their texts, so that each is prepared once for each connection. */
  readonly #prepared = new Map<string, string>();

  /** `asking`: what health checks ask over, which takes no connection from other work. */
  constructor(reader: Reader, pool: Pool, open: () => Promise<void>, asking: () => Asking) {
    this.#reader = reader;
    this.#pool = pool;
    this.#open = open;
    this.#asking = asking;
    this.#tables = new PerspectiveTables(reader, pool, open);
  }

  define(tables: readonly PerspectiveTable[]): void {
    this.#tables.define(tables);
  }

  async ownPlace(perspective: string): Promise<string | null> {
    const own = this.#tables.ownOf(perspective);
    if (isSameVersion(own, (await this.#tables.makeAgain(perspective)).table)) return perspective;
    const aside = asideName(perspective, own.version!);
    const rows = await this.#reader.rows('svc-perspective-kept', recordedStatement, [aside]);
    return rows.length === 0 ? null : aside;
  }

  async readPerspectives(): Promise<readonly KeptPerspective[]> {
    await this.#open();
    const text = "SELECT name, sequence, definition FROM svc_perspectives WHERE name NOT LIKE '%~%' ORDER BY name";
    const rows = await this.#reader.rows(null, text);
    return rows.map((row) => keptPerspective(Number(row['sequence']), tableOfText(row['name']!, row['definition']!)));
  }

  async readStandings(perspectives: readonly string[], limit: number): Promise<readonly PerspectiveStanding[]> {
    await this.#open();
    const wanted = perspectives.map((name) => ({ name, ...this.#asideOf(name) }));
    return await readStandings(this.#asking(), wanted, limit);
  }

  async readProgress(perspective: string): Promise<Progress> {
    const [row] = await this.#rows(perspective, 'svc-perspective-kept', recordedStatement, [perspective]);
    if (row === undefined) {
      if (isAsideName(perspective)) throw new PerspectiveDefinedOtherwiseError(perspectiveOfName(perspective));
      return { sequence: -1, revision: 0 };
    }
    const progress = { sequence: Number(row['sequence']), revision: Number(row['revision']) };
    const { table } = toRecordedTables(perspective, row, await this.#tables.make(perspective));
    return isSameVersion(this.#tables.ownOf(perspective), table) ? progress : { ...progress, ofOtherVersion: true };
  }

  async readModels(perspective: string, ids: readonly string[]): Promise<readonly ModelRecord[]> {
    const { table } = await this.#tables.make(perspective);
    const text = `SELECT ${listDialect.modelColumns} FROM ${modelsOf(table)}
      WHERE id IN (SELECT value FROM jsonb_array_elements_text($1::jsonb) AS wanted (value))`;
    return await this.#models(perspective, text, [JSON.stringify(idsIn(table, ids))], () =>
      this.readModels(perspective, ids),
    );
  }

  async findModels(perspective: string, key: string, limit: number): Promise<readonly ModelRecord[]> {
    const { table } = await this.#tables.make(perspective);
    // Ids begin with the key: those that do are one range of their index.
    const text = `SELECT ${listDialect.modelColumns} FROM ${modelsOf(table)}
      WHERE id >= $1 AND id < $1 || chr(32) AND key = $1 AND body IS NOT NULL LIMIT $2`;
    return await this.#models(perspective, text, [key, limit], () => this.findModels(perspective, key, limit));
  }

  async listModels(perspective: string, query: ModelQuery): Promise<readonly ModelRecord[]> {
    const own = this.#tables.ownOf(perspective);
    let { table } = await this.#tables.make(perspective);
    // It may have come since this host last looked.
    if (missingColumn(table, own, query) !== null) ({ table } = await this.#tables.makeAgain(perspective));
    const missing = missingColumn(table, own, query);
    if (missing !== null) throw new PropertyNotReadyError(perspective, missing);
    const again = (): Promise<readonly ModelRecord[]> => this.listModels(perspective, query);
    const owners = query.owner === null && layoutOf(table) === 'owned' ? await this.#ownersIn(table) : null;
    const { text, values } = listStatement(table, query, owners, listDialect);
    return owners?.length === 0 ? [] : await this.#models(perspective, text, values, again);
  }

  /** Null: there are too many to ask for the models of each. */
  async #ownersIn(table: PerspectiveTable): Promise<readonly string[] | null> {
    const rows = await this.#rows(table.perspective, null, ownersStatement(table), []);
    return rows.length > mostOwnersListed ? null : rows.map((row) => row['owner']!);
  }

  async #models(
    perspective: string,
    text: string,
    values: readonly Value[],
    again: () => Promise<readonly ModelRecord[]>,
  ): Promise<readonly ModelRecord[]> {
    try {
      return (await this.#rows(perspective, null, text, values)).map(modelOf);
    } catch (error) {
      if (!isOfOtherColumns(error)) throw error;
      // The table is another one by now: it is looked at again.
      await this.#tables.makeAgain(perspective);
      return await again();
    }
  }

  async readStopped(perspective: string): Promise<readonly StoppedStream[]> {
    const text = `SELECT stream_id, event_id, position, error_name, error_message, attempts
      FROM svc_perspectives_stopped WHERE perspective = $1 ORDER BY stream_id`;
    return (await this.#rows(perspective, 'svc-perspective-stopped', text, [perspective])).map(toStopped);
  }

  async readRewinds(lane: string): Promise<readonly OpenRewind[]> {
    const rows = await this.#reader.rows('svc-perspective-rewinds', 'SELECT rewind FROM svc_rewinds WHERE lane = $1', [
      lane,
    ]);
    return rows.map((row) => JSON.parse(row['rewind']!) as OpenRewind);
  }

  async readSources(
    perspective: string,
    id: string,
    afterEventId: Uuid | null,
    next: SourceKey | null,
  ): Promise<SourcePage> {
    const text = `SELECT * FROM (
        SELECT *, row_number() OVER (ORDER BY stream_id DESC, block DESC) AS nth FROM ${tableNamesOf(perspective).sources}
        WHERE id = $1 AND ($3::uuid IS NULL OR (stream_id, block) < ($3, $4))
        ORDER BY stream_id DESC, block DESC LIMIT ${sourcesPerPage}
      ) page WHERE $2::uuid IS NULL OR last_event_id > $2 OR nth = ${sourcesPerPage} ORDER BY nth`;
    const values = [id, afterEventId, next?.streamId ?? null, next?.block ?? null];
    const rows = await this.#rows(perspective, null, text, values);
    const isFull = Number(rows.at(-1)?.['nth']) === sourcesPerPage;
    const found = rows.map(toSource);
    const sources = found.filter(({ lastEventId }) => afterEventId === null || lastEventId > afterEventId);
    return { sources, next: isFull ? found.at(-1)! : null };
  }

  async readModelIds(perspective: string, streamId: Uuid): Promise<readonly string[]> {
    const text = `SELECT DISTINCT id FROM ${tableNamesOf(perspective).sources} WHERE stream_id = $1`;
    return (await this.#rows(perspective, null, text, [streamId])).map((row) => row['id']!);
  }

  async readSnapshot(perspective: string, id: string, beforeEventId: Uuid): Promise<ModelSnapshot | null> {
    const text = `SELECT id, event_id, body, version FROM ${tableNamesOf(perspective).snapshots}
      WHERE id = $1 AND event_id < $2 ORDER BY event_id DESC LIMIT 1`;
    const [row] = await this.#rows(perspective, null, text, [id, beforeEventId]);
    return row === undefined ? null : toSnapshot(row);
  }

  async commitPerspective(commit: PerspectiveCommit): Promise<void> {
    const { perspective } = commit;
    const further = furtherStatements(commit);
    for (let kept: RecordedTables | null = await this.#tables.make(perspective); kept !== null;) {
      kept = await this.#tables.withTables(perspective, () => this.#tryToCommit(commit, kept!, further));
    }
  }

  async replacePerspective(perspective: string, by: string, from: Progress, byFrom: Progress): Promise<void> {
    await this.#tables.make(perspective);
    try {
      await this.#tables.changeTables(async (client) => {
        await this.#tables.lock(client, perspective, by);
        const [live, beside] = [await holdTables(client, perspective), await holdTables(client, by)];
        if (live === undefined || !isAt(live, from)) throw moved(perspective, from, live);
        if (beside === undefined || !isAt(beside, byFrom)) throw moved(by, byFrom, beside);
        // The table was migrated meanwhile: the other one lacks what it has now.
        if (live.text !== beside.text) throw new PerspectiveDefinedOtherwiseError(perspective);
        await replaceTables(client, perspective, live, beside);
      });
    } catch (error) {
      // Another host that filled the same tables has put them in the place of the perspective, or removed them.
      throw isMissingTable(error) ? moved(by, byFrom, undefined) : error;
    } finally {
      this.#tables.forget(by);
    }
  }

  async clearPerspective(perspective: string): Promise<void> {
    await this.#tables.make(perspective);
    await this.#tables.changeTables(async (client) => {
      await this.#tables.lock(client, perspective);
      const kept = (await holdTables(client, perspective))!;
      this.#tables.requireOwnVersion(perspective, kept);
      await emptyTables(client, kept);
    });
  }

  async readBesides(perspective: string): Promise<readonly BesideTables[]> {
    const text = `SELECT beside.name, beside.sequence, beside.definition = live.definition AS alike
      FROM svc_perspectives beside JOIN svc_perspectives live ON live.name = $1
      WHERE beside.name > $1 || '~' AND beside.name < $1 || '~~'`;
    const rows = await this.#rows(perspective, 'svc-perspective-besides', text, [perspective]);
    return rows.map((row) => ({
      name: row['name']!,
      sequence: Number(row['sequence']),
      isAlike: row['alike'] === 't',
    }));
  }

  async removePerspective(perspective: string): Promise<void> {
    await this.#open();
    await this.#tables.changeTables((client) => removeTables(client, perspective));
    this.#tables.forget(perspective);
  }

  /** Null: it is kept. Otherwise what the table looks like by now: it is to be tried with that. */
  async #tryToCommit(
    commit: PerspectiveCommit,
    kept: RecordedTables,
    further: readonly Statement[],
  ): Promise<RecordedTables | null> {
    const { perspective, from } = commit;
    this.#tables.requireOwnVersion(perspective, kept);
    const { columns } = kept.table;
    const models = withFilledColumns(commit.models, this.#tables.ownOf(perspective).columns, columns);
    const { first, further: rest } = commitPieces(commit, models, columns, kept.text);
    const keep = this.#named(perspective, first);
    try {
      const isKept = await inTransaction(
        this.#pool,
        async (client) => {
          const { rows } = await client.query<Row>(keep);
          const revision = rows[0]?.['revision'];
          if (revision === undefined || revision === null) return false;
          for (const statement of rest(revision)) await client.query(statement);
          for (const statement of further) await client.query(statement);
          if (commit.rewinds === undefined || (await replaceRewinds(client, commit.rewinds))) return true;
          throw new PerspectiveMovedError(perspective, from.sequence, from.sequence);
        },
        derived,
      );
      if (isKept) return null;
    } catch (error) {
      if (!isOfOtherColumns(error)) throw error;
    }
    const now = await this.#tables.makeAgain(perspective);
    if (now.text === kept.text) throw new PerspectiveMovedError(perspective, from.sequence, now.sequence);
    return now;
  }

  /** Tables that are filled beside others do not stay: their statements are not worth preparing. */
  #named(perspective: string, statement: Statement): Statement & { types: typeof rawTypes; name?: string } {
    if (perspectiveOfName(perspective) !== perspective) return { ...statement, types: rawTypes };
    let name = this.#prepared.get(statement.text);
    if (name === undefined) {
      name = `svc-keep-perspective-${this.#prepared.size}`;
      this.#prepared.set(statement.text, name);
    }
    return { ...statement, types: rawTypes, name };
  }

  /** What this host would call its models were they put aside; for those it has never named, nothing. */
  #asideOf(perspective: string): { readonly version: string; readonly aside: string } | null {
    const { version = null } = this.#tables.ownOf(perspective);
    return version === null ? null : { version, aside: asideName(perspective, version) };
  }

  async #rows(perspective: string, name: string | null, text: string, values: readonly Value[]): Promise<Row[]> {
    await this.#tables.make(perspective);
    return await this.#tables.withTables(perspective, () => this.#reader.rows(name, text, values));
  }
}

function moved(perspective: string, from: Progress, kept: RecordedTables | undefined): PerspectiveMovedError {
  return new PerspectiveMovedError(perspective, from.sequence, kept?.sequence ?? -1);
}

/** A column has gone, or one has come that a statement makes up itself: the table is not the one that the statement was made for. */
function isOfOtherColumns(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '42703' || error.code === '42702');
}
