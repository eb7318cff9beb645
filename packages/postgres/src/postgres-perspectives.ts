import { setTimeout as sleep } from 'node:timers/promises';
import {
  PerspectiveDefinedOtherwiseError,
  PerspectiveMovedError,
  perspectiveOfName,
  StorageUnavailableError,
  type ModelQuery,
  type ModelRecord,
  type ModelSnapshot,
  type PerspectiveColumn,
  type PerspectiveCommit,
  type PerspectiveStorage,
  type PerspectiveTable,
  type Progress,
  type StoppedStream,
  type Uuid,
} from '@svc/core';
import type { Pool, PoolClient } from 'pg';
import { schemaLock } from './create-schema.js';
import { furtherStatements, keepStatement, type Statement } from './perspective-commit.js';
import { createTables, dropTables, lockTables, namesOf, swapTables } from './perspective-ddl.js';
import { listStatement } from './perspective-list.js';
import { modelColumns, toModel, toSnapshot, toStopped } from './perspective-rows.js';
import { rawTypes } from './raw-types.js';
import type { Reader, Value } from './reader.js';
import type { Row } from './rows.js';
import { inTransaction } from './transaction.js';

/** How long a change of tables waits for those who use them, before it lets them pass and tries again. */
const lockTimeoutMs = 500;
const mostTries = 20;

/**
 * Models can be made anew from the events: keeping them does not wait for the disk. A crash of the server may undo what was kept
 * last, and never without what was kept later, such as the events that tell of it.
 */
const derived = ['synchronous_commit = off'];

/** The perspectives in a PostgreSQL database: a table of models for each, with its sources and snapshots beside it. */
export class PostgresPerspectives implements PerspectiveStorage {
  readonly #reader: Reader;
  readonly #pool: Pool;
  readonly #open: () => Promise<void>;
  readonly #columns = new Map<string, readonly PerspectiveColumn[]>();
  /** Those whose tables are known to be there. */
  readonly #made = new Map<string, Promise<void>>();
  /** What statements are called by their texts, so that each is prepared once for each connection. */
  readonly #prepared = new Map<string, string>();

  constructor(reader: Reader, pool: Pool, open: () => Promise<void>) {
    this.#reader = reader;
    this.#pool = pool;
    this.#open = open;
  }

  define(tables: readonly PerspectiveTable[]): void {
    for (const { perspective, columns } of tables) {
      this.#columns.set(perspective, columns);
      this.#made.delete(perspective);
    }
  }

  async readProgress(perspective: string): Promise<Progress> {
    const text = 'SELECT sequence, revision FROM svc_perspectives WHERE name = $1';
    const [row] = await this.#rows(perspective, 'svc-perspective-progress', text, [perspective]);
    return { sequence: Number(row?.['sequence'] ?? -1), revision: Number(row?.['revision'] ?? 0) };
  }

  async readModels(perspective: string, keys: readonly string[]): Promise<readonly ModelRecord[]> {
    const text = `SELECT ${modelColumns} FROM ${namesOf(perspective).models}
      WHERE key IN (SELECT value FROM jsonb_array_elements_text($1::jsonb) AS wanted (value))`;
    return (await this.#rows(perspective, null, text, [JSON.stringify(keys)])).map(toModel);
  }

  async listModels(perspective: string, query: ModelQuery): Promise<readonly ModelRecord[]> {
    const { text, values } = listStatement(perspective, this.#columnsOf(perspective), query);
    return (await this.#rows(perspective, null, text, values)).map(toModel);
  }

  async readStopped(perspective: string): Promise<readonly StoppedStream[]> {
    const text = `SELECT stream_id, event_id, position, error_name, error_message
      FROM svc_perspectives_stopped WHERE perspective = $1 ORDER BY stream_id`;
    return (await this.#rows(perspective, 'svc-perspective-stopped', text, [perspective])).map(toStopped);
  }

  async readSources(perspective: string, key: string, afterEventId: Uuid | null): Promise<readonly Uuid[]> {
    const text = `SELECT stream_id FROM ${namesOf(perspective).sources}
      WHERE key = $1 AND ($2::uuid IS NULL OR last_event_id > $2::uuid)`;
    const rows = await this.#rows(perspective, null, text, [key, afterEventId]);
    return rows.map((row) => row['stream_id'] as Uuid);
  }

  async readKeys(perspective: string, streamId: Uuid): Promise<readonly string[]> {
    const text = `SELECT key FROM ${namesOf(perspective).sources} WHERE stream_id = $1`;
    return (await this.#rows(perspective, null, text, [streamId])).map((row) => row['key']!);
  }

  async readSnapshot(perspective: string, key: string, beforeEventId: Uuid): Promise<ModelSnapshot | null> {
    const text = `SELECT key, event_id, body, version, scope FROM ${namesOf(perspective).snapshots}
      WHERE key = $1 AND event_id < $2 ORDER BY event_id DESC LIMIT 1`;
    const [row] = await this.#rows(perspective, null, text, [key, beforeEventId]);
    return row === undefined ? null : toSnapshot(row);
  }

  async commitPerspective(commit: PerspectiveCommit): Promise<void> {
    const { perspective, from } = commit;
    const columns = this.#columnsOf(perspective);
    const definition = JSON.stringify(columns);
    const keep = this.#named(perspective, keepStatement(commit, columns, definition));
    const further = furtherStatements(commit);
    await this.#withTables(perspective, async () => {
      await inTransaction(
        this.#pool,
        async (client) => {
          const { rows } = await client.query<Row>(keep);
          if (rows.length === 0) throw await this.#refusal(client, perspective, from, definition);
          for (const statement of further) await client.query(statement);
        },
        derived,
      );
    });
  }

  async replacePerspective(perspective: string, by: string, from: Progress): Promise<void> {
    await this.#make(perspective);
    await this.#make(by);
    await this.#changeTables(async (client) => {
      await client.query(lockTables(perspective, by));
      const { rows } = await client.query<{ name: string; revision: string }>(
        'SELECT name, revision FROM svc_perspectives WHERE name IN ($1, $2) FOR UPDATE',
        [perspective, by],
      );
      const revisions = rows.map(({ name, revision }) => ({ name, revision: Number(revision) }));
      if (revisions.find(({ name }) => name === perspective)?.revision !== from.revision) {
        throw await this.#refusal(client, perspective, from, null);
      }
      await client.query(swapTables(perspective, by));
      await client.query('DELETE FROM svc_perspectives WHERE name = $1', [perspective]);
      await client.query('DELETE FROM svc_perspectives_stopped WHERE perspective = $1', [perspective]);
      // Above that of any of its models, as after a commit.
      const revision = Math.max(...revisions.map((one) => one.revision)) + 1;
      await client.query('UPDATE svc_perspectives SET name = $1, revision = $3 WHERE name = $2', [
        perspective,
        by,
        revision,
      ]);
      await client.query('UPDATE svc_perspectives_stopped SET perspective = $1 WHERE perspective = $2', [
        perspective,
        by,
      ]);
    });
    this.#made.delete(by);
  }

  async clearPerspective(perspective: string): Promise<void> {
    await this.#make(perspective);
    await this.#changeTables(async (client) => {
      await client.query(lockTables(perspective));
      await this.#makeAnew(client, perspective);
    });
  }

  async removePerspective(perspective: string): Promise<void> {
    await this.#open();
    await this.#changeTables(async (client) => {
      await client.query(dropTables(perspective));
      await client.query('DELETE FROM svc_perspectives WHERE name = $1', [perspective]);
      await client.query('DELETE FROM svc_perspectives_stopped WHERE perspective = $1', [perspective]);
    });
    this.#made.delete(perspective);
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

  #columnsOf(perspective: string): readonly PerspectiveColumn[] {
    return this.#columns.get(perspectiveOfName(perspective)) ?? [];
  }

  async #rows(perspective: string, name: string | null, text: string, values: readonly Value[]): Promise<Row[]> {
    return await this.#withTables(perspective, () => this.#reader.rows(name, text, values));
  }

  /** Another host may have put the tables in the place of others, or removed them: then they are made again. */
  async #withTables<T>(perspective: string, work: () => Promise<T>): Promise<T> {
    await this.#make(perspective);
    try {
      return await work();
    } catch (error) {
      if (isMissingColumn(error)) throw new PerspectiveDefinedOtherwiseError(perspective);
      if (!isMissingTable(error)) throw error;
      this.#made.delete(perspective);
      await this.#make(perspective);
      return await work();
    }
  }

  #make(perspective: string): Promise<void> {
    let made = this.#made.get(perspective);
    if (made === undefined) {
      made = this.#makeTables(perspective);
      this.#made.set(perspective, made);
      made.catch(() => this.#made.delete(perspective));
    }
    return made;
  }

  async #makeTables(perspective: string): Promise<void> {
    await this.#open();
    const definition = JSON.stringify(this.#columnsOf(perspective));
    const text = 'SELECT definition FROM svc_perspectives WHERE name = $1';
    const [known] = await this.#reader.rows('svc-perspective-definition', text, [perspective]);
    if (known?.['definition'] === definition) return;
    await this.#changeTables(async (client) => {
      await client.query('SELECT pg_advisory_xact_lock($1)', [schemaLock]);
      const { rows } = await client.query<{ definition: string }>(text, [perspective]);
      const [found] = rows;
      if (found === undefined) {
        await client.query(createTables(perspective, this.#columnsOf(perspective)));
        const insert = 'INSERT INTO svc_perspectives (name, sequence, revision, definition) VALUES ($1, -1, 0, $2)';
        await client.query(insert, [perspective, definition]);
      } else if (found.definition !== definition) {
        await client.query(lockTables(perspective));
        await this.#makeAnew(client, perspective);
      }
    });
  }

  async #makeAnew(client: PoolClient, perspective: string): Promise<void> {
    const columns = this.#columnsOf(perspective);
    await client.query(dropTables(perspective));
    await client.query(createTables(perspective, columns));
    await client.query('DELETE FROM svc_perspectives_stopped WHERE perspective = $1', [perspective]);
    const update =
      'UPDATE svc_perspectives SET sequence = -1, revision = revision + 1, definition = $2 WHERE name = $1';
    await client.query(update, [perspective, JSON.stringify(columns)]);
  }

  /** Those who use the tables are let pass: a change that waited behind them would hold everybody up. */
  async #changeTables(change: (client: PoolClient) => Promise<void>): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        await inTransaction(this.#pool, change, [`lock_timeout = ${lockTimeoutMs}`]);
        return;
      } catch (error) {
        if (!isLockTimeout(error) || tries === mostTries) throw error;
        await sleep(Math.random() * lockTimeoutMs);
      }
    }
  }

  async #refusal(client: PoolClient, perspective: string, from: Progress, definition: string | null): Promise<Error> {
    const text = 'SELECT sequence, definition FROM svc_perspectives WHERE name = $1';
    const { rows } = await client.query<{ sequence: string; definition: string }>(text, [perspective]);
    const [now] = rows;
    if (definition !== null && now !== undefined && now.definition !== definition) {
      return new PerspectiveDefinedOtherwiseError(perspective);
    }
    return new PerspectiveMovedError(perspective, from.sequence, Number(now?.sequence ?? -1));
  }
}

function isMissingTable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '42P01';
}

function isMissingColumn(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '42703';
}

function isLockTimeout(error: unknown): boolean {
  if (!(error instanceof StorageUnavailableError)) return false;
  const { cause } = error;
  return cause instanceof Error && 'code' in cause && ['55P03', '40P01'].includes(String(cause.code));
}
