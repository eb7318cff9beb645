import { type Uuid } from '@svc/core';
import {
  asTables,
  isAt,
  isSameVersion,
  PerspectiveDefinedOtherwiseError,
  PerspectiveMovedError,
  placeOfVersion,
  sourcesPerPage,
  tableNamesOf,
  toRecordedPerspective,
  toRebuilding,
  toSnapshot,
  toSource,
  toStopped,
  toTablesInRole,
  type RecordedPerspective,
  type ModelQuery,
  type ModelSelection,
  type ModelReplica,
  type ModelSnapshot,
  type ModelTables,
  type OpenRewind,
  type PerspectiveCommit,
  type PerspectiveStanding,
  type PerspectiveStorage,
  type PerspectiveTable,
  type Progress,
  type RebuildingTables,
  type RecordedTables,
  type SourceKey,
  type SourcePage,
  type StoppedStream,
  type StoredModel,
  type TableRole,
  type TablesRef,
} from '@svc/core/storage';
import type { Pool } from 'pg';
import { isMissingTable } from './failures.js';
import {
  allTables,
  emptyTables,
  holdTables,
  inRoleStatement,
  removeAllTables,
  removeTables,
  replaceTables,
  servingStatement,
} from './perspective-changes.js';
import { ModelNotices } from './model-notices.js';
import { ModelReads } from './model-reads.js';
import { PerspectiveCommitter } from './perspective-committer.js';
import { PerspectiveTables } from './perspective-tables.js';
import type { Queryable, Reader, Value } from './reader.js';
import { ReplicaReader } from './replica-reader.js';
import type { DatabaseRoles } from './roles/database-roles.js';
import type { Row } from './row.js';
import { PostgresSegments } from './postgres-segments.js';
import { stoppedStatement } from './segment-statements.js';
import { readStandings } from './standings.js';

export interface PerspectiveSettings {
  readonly divideAfterMs: number;
  /** Where models are read; null: where they are written. */
  readonly replica: Reader | null;
  readonly roles: DatabaseRoles;
  /** Called when readers need notifications. */
  readonly want: () => void;
}

/** The perspectives in a PostgreSQL database, and their models on a replica. Each has a table of models, one of sources and one of snapshots. */
export class PostgresPerspectives implements PerspectiveStorage {
  readonly largestCommit = Infinity;
  readonly replica?: ModelReplica;
  readonly #reader: Reader;
  readonly #open: () => Promise<void>;
  readonly #queryable: () => Queryable;
  readonly #tables: PerspectiveTables;
  readonly #committer: PerspectiveCommitter;
  readonly #models: ModelReads;
  readonly segments: PostgresSegments;
  readonly changes: ModelNotices;

  /** `queryable`: runs the statements of health checks without taking a connection from other work. */
  constructor(
    reader: Reader,
    pool: Pool,
    open: () => Promise<void>,
    queryable: () => Queryable,
    { divideAfterMs, replica, roles, want }: PerspectiveSettings,
  ) {
    this.#reader = reader;
    this.#open = open;
    this.#queryable = queryable;
    this.#tables = new PerspectiveTables(reader, pool, open, roles);
    this.#committer = new PerspectiveCommitter(pool, this.#tables);
    this.#models = new ModelReads(this.#tables, reader);
    this.changes = new ModelNotices(reader, open, want);
    this.segments = new PostgresSegments(pool, this.#tables, queryable, divideAfterMs);
    if (replica !== null) this.replica = new ModelReads(this.#tables, new ReplicaReader(replica, reader, open));
  }

  define(tables: readonly PerspectiveTable[]): void {
    this.#tables.define(tables);
    this.changes.define(tables.map(({ perspective }) => perspective));
  }

  async ownPlace(perspective: string): Promise<ModelTables | null> {
    const own = this.#tables.ownOf(perspective);
    const serving = await this.#tables.makeAgain(asTables(perspective));
    if (isSameVersion(own, serving.table)) return serving.tables;
    return placeOfVersion(own.version ?? null, await this.#inRole(perspective, 'retained'));
  }

  async readPerspectives(): Promise<readonly RecordedPerspective[]> {
    await this.#open();
    return (await this.#reader.rows(null, servingStatement)).map(toRecordedPerspective);
  }

  async readStandings(perspectives: readonly string[], limit: number): Promise<readonly PerspectiveStanding[]> {
    await this.#open();
    const wanted = perspectives.map((name) => ({ name, version: this.#tables.ownOf(name).version ?? null }));
    return await readStandings(this.#queryable(), wanted, limit);
  }

  readProgress(ref: TablesRef): Promise<Progress> {
    return this.#models.readProgress(ref);
  }

  readModels(ref: TablesRef, ids: readonly string[]): Promise<readonly StoredModel[]> {
    return this.#models.readModels(ref, ids);
  }

  findModels(ref: TablesRef, key: string, limit: number): Promise<readonly StoredModel[]> {
    return this.#models.findModels(ref, key, limit);
  }

  listModels(ref: TablesRef, query: ModelQuery): Promise<readonly StoredModel[]> {
    return this.#models.listModels(ref, query);
  }

  countModels(ref: TablesRef, selection: ModelSelection): Promise<number> {
    return this.#models.countModels(ref, selection);
  }

  async readStopped(ref: TablesRef): Promise<readonly StoppedStream[]> {
    const tables = asTables(ref);
    const values = [tables.name, tables.segment?.index ?? null];
    return (await this.#rows(tables, 'svc-perspective-stopped', stoppedStatement, values)).map(toStopped);
  }

  async readRewinds(lane: string): Promise<readonly OpenRewind[]> {
    const rows = await this.#reader.rows('svc-perspective-rewinds', 'SELECT rewind FROM svc_rewinds WHERE lane = $1', [
      lane,
    ]);
    return rows.map((row) => JSON.parse(row['rewind']!) as OpenRewind);
  }

  async readSources(
    ref: TablesRef,
    id: string,
    afterEventId: Uuid | null,
    next: SourceKey | null,
  ): Promise<SourcePage> {
    const tables = asTables(ref);
    const text = `SELECT * FROM (
        SELECT *, row_number() OVER (ORDER BY stream_id DESC, block DESC) AS nth FROM ${tableNamesOf(tables.name).sources}
        WHERE id = $1 AND ($3::uuid IS NULL OR (stream_id, block) < ($3, $4))
        ORDER BY stream_id DESC, block DESC LIMIT ${sourcesPerPage}
      ) page WHERE $2::uuid IS NULL OR last_event_id > $2 OR nth = ${sourcesPerPage} ORDER BY nth`;
    const values = [id, afterEventId, next?.streamId ?? null, next?.block ?? null];
    const rows = await this.#rows(tables, null, text, values);
    const isFull = Number(rows.at(-1)?.['nth']) === sourcesPerPage;
    const found = rows.map(toSource);
    const sources = found.filter(({ lastEventId }) => afterEventId === null || lastEventId > afterEventId);
    return { sources, next: isFull ? found.at(-1)! : null };
  }

  async readModelIds(ref: TablesRef, streamId: Uuid): Promise<readonly string[]> {
    const tables = asTables(ref);
    const text = `SELECT DISTINCT id FROM ${tableNamesOf(tables.name).sources} WHERE stream_id = $1`;
    return (await this.#rows(tables, null, text, [streamId])).map((row) => row['id']!);
  }

  async readSnapshot(ref: TablesRef, id: string, beforeEventId: Uuid): Promise<ModelSnapshot | null> {
    const tables = asTables(ref);
    const text = `SELECT id, event_id, body, version FROM ${tableNamesOf(tables.name).snapshots}
      WHERE id = $1 AND event_id < $2 ORDER BY event_id DESC LIMIT 1`;
    const [row] = await this.#rows(tables, null, text, [id, beforeEventId]);
    return row === undefined ? null : toSnapshot(row);
  }

  commitPerspective(commit: PerspectiveCommit): Promise<void> {
    return this.#committer.commit(commit);
  }

  async replacePerspective(perspective: string, by: TablesRef, from: Progress, byFrom: Progress): Promise<void> {
    const [serving, next] = [asTables(perspective), asTables(by)];
    await this.#tables.make(serving);
    try {
      await this.#tables.changeTables(async (client) => {
        await this.#tables.lock(client, serving, next);
        const [replaced, replacing] = [await holdTables(client, serving), await holdTables(client, next)];
        if (replaced === undefined || !isAt(replaced, from)) throw moved(perspective, from, replaced);
        if (replacing === undefined || !isAt(replacing, byFrom)) throw moved(perspective, byFrom, replacing);
        // The serving table was migrated during the rebuild, so the new one lacks columns.
        if (replaced.text !== replacing.text) throw new PerspectiveDefinedOtherwiseError(perspective);
        await replaceTables(client, replaced, replacing);
      });
    } catch (error) {
      // Another host that filled the same tables has finished the replacement, or has removed them.
      throw isMissingTable(error) ? moved(perspective, byFrom, undefined) : error;
    } finally {
      this.#tables.forget(next);
    }
  }

  async clearPerspective(perspective: string): Promise<void> {
    const tables = asTables(perspective);
    await this.#tables.make(tables);
    await this.#tables.changeTables(async (client) => {
      await this.#tables.lock(client, tables);
      const recorded = (await holdTables(client, tables))!;
      this.#tables.requireOwnVersion(recorded);
      await emptyTables(client, recorded);
    });
  }

  async readRebuilding(perspective: string): Promise<readonly RebuildingTables[]> {
    const serving = await this.#tables.makeAgain(asTables(perspective));
    return toRebuilding(await this.#inRole(perspective, 'rebuilding'), serving);
  }

  async removeTables(ref: TablesRef): Promise<void> {
    const tables = asTables(ref);
    await this.#open();
    await this.#tables.changeTables((client) => removeTables(client, tables));
    this.#tables.forget(tables);
  }

  async removePerspective(perspective: string): Promise<void> {
    await this.#open();
    const removed = await this.#tables.changeTables(async (client) => {
      const all = await allTables(client, perspective);
      if (all.length > 0) await this.#tables.lock(client, ...all);
      await removeAllTables(client, perspective, all);
      return all;
    });
    for (const tables of removed) this.#tables.forget(tables);
  }

  async #inRole(perspective: string, role: TableRole): Promise<readonly RecordedTables[]> {
    const rows = await this.#reader.rows('svc-perspective-in-role', inRoleStatement, [perspective, role]);
    return rows.map(toTablesInRole);
  }

  async #rows(tables: ModelTables, name: string | null, text: string, values: readonly Value[]): Promise<Row[]> {
    await this.#tables.make(tables);
    return await this.#tables.withTables(tables, () => this.#reader.rows(name, text, values));
  }
}

function moved(perspective: string, from: Progress, now: RecordedTables | undefined): PerspectiveMovedError {
  return new PerspectiveMovedError(perspective, from.sequence, now?.sequence ?? -1);
}
