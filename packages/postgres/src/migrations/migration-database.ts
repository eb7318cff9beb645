import { type MigrationFailureReason } from '@svc/core';
import {
  createTable,
  extendTable,
  perspectiveTableOf,
  readBatchesStatement,
  recordTable,
  StorageUnavailableError,
  SupersededError,
  toBatch,
  toMigrationRecord,
  type BackgroundIndex,
  type CommitRecord,
  type MigrationBatch,
  type MigrationDatabase,
  type MigrationRecord,
  type MigrationRights,
  type MigrationSession,
  type MigrationSettings,
  type TableDefinition,
  type UnchangedItem,
} from '@svc/core/storage';
import type { Client, ClientBase, Pool } from 'pg';
import { commitQuery } from '../commit-query.js';
import type { Refusal } from '../commit-statement.js';
import { createTables } from '../perspective-ddl.js';
import { isConnectionFailure, isLockTimeout, isMissingTable, migrationFailureOf } from '../failures.js';
import { outcomesOf } from '../outcomes.js';
import { mayRaceAgain, pauseAfterRace } from '../races.js';
import { rawTypes } from '../raw-types.js';
import type { Reader } from '../reader.js';
import type { DatabaseRoles } from '../roles/database-roles.js';
import { inTransaction } from '../transaction.js';
import { batchesTable, takeEvents } from './batches.js';
import { PostgresMigrationSession } from './migration-session.js';
import { recordsStatement, recordsTable, skippedStatement } from './records.js';
import { tableDialect } from './table-sql.js';

/** The key of a lock contains its purpose and the schema, because several schemas can share a database. */
const lockStatement = `SELECT pg_try_advisory_lock(hashtextextended('svc-migrations:' || coalesce(current_schema(), '') || ':' || $1, 0)) AS held`;

/** An arbitrary unique number: the lock under which hosts create the table of records one at a time. */
const recordsLock = 7_322_671_510;

/** The migrations of a PostgreSQL database. Each session has its own connection, with an advisory lock. */
export class PostgresMigrationDatabase implements MigrationDatabase {
  readonly #reader: Reader;
  readonly #pool: Pool;
  readonly #newClient: () => Client;
  readonly #settings: MigrationSettings;
  readonly #roles: DatabaseRoles;
  /** The connection of a caller that did not get the lock, for its next attempt. */
  #spare: Client | undefined;

  constructor(reader: Reader, pool: Pool, newClient: () => Client, settings: MigrationSettings, roles: DatabaseRoles) {
    this.#reader = reader;
    this.#roles = roles;
    this.#pool = pool;
    this.#newClient = newClient;
    this.#settings = settings;
  }

  async rights(): Promise<MigrationRights> {
    return (await this.#roles.read()).rights;
  }

  async records(): Promise<readonly MigrationRecord[] | null> {
    try {
      return (await this.#reader.rows('svc-migrations', recordsStatement)).map(toMigrationRecord);
    } catch (error) {
      if (isMissingTable(error)) return null;
      throw error;
    }
  }

  async recordSkipped(items: readonly UnchangedItem[]): Promise<void> {
    await this.#reader.rows(null, skippedStatement, [JSON.stringify(items)]);
  }

  async batches(): Promise<readonly MigrationBatch[]> {
    try {
      return (await this.#reader.rows('svc-migration-batches', readBatchesStatement)).map(toBatch);
    } catch (error) {
      if (isMissingTable(error)) return [];
      throw error;
    }
  }

  async emit(batch: MigrationBatch, record: CommitRecord | null): Promise<boolean> {
    for (let races = 1; ; races++) {
      try {
        await inTransaction(this.#pool, async (client) => {
          // The commit statement must be the first of the transaction.
          if (record !== null) await commitOver(client, record);
          if (!(await takeEvents(client, batch))) throw new SupersededError(batch.streamId);
        });
        return true;
      } catch (error) {
        if (error instanceof SupersededError) return false;
        if (!mayRaceAgain(error, races, true)) throw error;
        await pauseAfterRace(races);
      }
    }
  }

  async existing(tables: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const rows = await this.#reader.rows('svc-migrations-existing', existingStatement, [JSON.stringify(tables)]);
    const found = new Map<string, string[]>();
    for (const { name, column } of rows) found.set(name!, [...(found.get(name!) ?? []), column!]);
    return found;
  }

  async missingIndexes(indexes: readonly BackgroundIndex[]): Promise<readonly BackgroundIndex[]> {
    const names = JSON.stringify(indexes.map(({ name }) => name));
    const rows = await this.#reader.rows('svc-migrations-indexes', validIndexesStatement, [names]);
    const valid = new Set(rows.map(({ name }) => name));
    return indexes.filter(({ name }) => !valid.has(name));
  }

  tableSql(old: TableDefinition | null, next: TableDefinition): readonly string[] {
    if (old !== null) return extendTable(old, next, tableDialect);
    const table = perspectiveTableOf(next);
    return table === null
      ? createTable(next, next.table, tableDialect)
      : [createTables(table, table.perspective), recordTable(table)];
  }

  async begin(name: string): Promise<MigrationSession | null> {
    const client = this.#spare ?? (await this.#connect());
    this.#spare = undefined;
    try {
      const { rows } = await client.query<{ held: boolean }>(lockStatement, [name]);
      if (rows[0]?.held !== true) {
        if (this.#spare === undefined) this.#spare = client;
        else await client.end();
        return null;
      }
      await makeRecordTables(client);
      return new PostgresMigrationSession(client, this.#settings, this.#roles, () => client.end());
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
  }

  classify(error: unknown): MigrationFailureReason {
    return migrationFailureOf(error);
  }

  isLocked(error: unknown): boolean {
    return isLockTimeout(error);
  }

  isGone(error: unknown): boolean {
    return error instanceof StorageUnavailableError || isConnectionFailure(error);
  }

  async close(): Promise<void> {
    await this.#spare?.end().catch(() => {});
  }

  async #connect(): Promise<Client> {
    const client = this.#newClient();
    // A running statement fails by itself. Without a listener, the process would end.
    client.on('error', () => {});
    await client.connect();
    return client;
  }
}

/** Only if they do not exist: the runtime role may create no table in the schema of the log, and PostgreSQL checks that first. */
async function makeRecordTables(client: ClientBase): Promise<void> {
  const found =
    "SELECT to_regclass('svc_schema_migrations') IS NOT NULL AND to_regclass('svc_migration_batches') IS NOT NULL AS found";
  if ((await client.query<{ found: boolean }>(found)).rows[0]?.found === true) return;
  await client.query(`BEGIN; SELECT pg_advisory_xact_lock(${recordsLock}); ${recordsTable}; ${batchesTable}; COMMIT`);
}

async function commitOver(client: ClientBase, record: CommitRecord): Promise<void> {
  const { text, values } = commitQuery([record]);
  const { rows } = await client.query<Refusal>({ text, values, types: rawTypes });
  const [refusal = null] = outcomesOf([record], rows);
  if (refusal !== null) throw refusal;
}

const existingStatement = `
  SELECT wanted.name, attname AS column
  FROM json_array_elements_text($1::json) AS wanted (name)
  JOIN pg_class ON pg_class.oid = to_regclass(quote_ident(wanted.name)) AND relkind IN ('r', 'p')
  JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped`;

const validIndexesStatement = `
  SELECT wanted.name FROM json_array_elements_text($1::json) AS wanted (name)
  JOIN pg_index ON indexrelid = to_regclass(quote_ident(wanted.name)) AND indisvalid`;
