import { existsSync } from 'node:fs';
import { ServiceError } from '@svc/core';
import { PlaintextRejectedError, plaintextText } from '@svc/core/hosting';
import type { PostgresStorage } from '@svc/postgres';
import type { SqliteStorage } from '@svc/sqlite';
import { UsageError } from '../failures.js';

export interface ChosenDatabase {
  readonly storage: PostgresStorage | SqliteStorage;
  /** Where the database is, without its password. For display. */
  readonly where: string;
  /** Removes the password from a text that the database returned. */
  readonly redacted: (text: string) => string;
}

export interface DatabaseOptions {
  /** Whether a missing SQLite file is created. */
  readonly creates: boolean;
  /** The name of the connection at the server. */
  readonly applicationName: string;
  /** Whether `--allow-plaintext` was given. `ALLOW_PLAINTEXT=yes` does the same. */
  readonly allowPlaintext: boolean;
}

/** Opens a PostgreSQL database by its URL, or a SQLite file. */
export async function chooseDatabase(database: string, options: DatabaseOptions): Promise<ChosenDatabase> {
  if (/^postgres(?:ql)?:/.test(database)) return await postgresDatabase(database, options);
  const storage = await openSqlite(database);
  if (!options.creates && !existsSync(database)) throw new UsageError(`Database file ${database} does not exist.`);
  return { storage, where: database, redacted: (text) => text };
}

/** Rejects an address that is no file, before an error repeats it: it can have a password. */
async function openSqlite(file: string): Promise<SqliteStorage> {
  const { sqlite } = await import('@svc/sqlite');
  try {
    return sqlite({ file });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new UsageError(
      'The database must be a postgres:// URL or a SQLite file. Expected postgres://user:password@host:port/database, or a path such as .svc/data.db.',
    );
  }
}

async function postgresDatabase(database: string, options: DatabaseOptions): Promise<ChosenDatabase> {
  const { databaseAddress, databaseSecrets } = await import('@svc/postgres');
  let address: string;
  try {
    address = databaseAddress(database);
  } catch (error) {
    const why = error instanceof ServiceError ? error.message : 'The database URL is invalid.';
    throw new UsageError(`${why} Expected postgres://user:password@host:port/database.`);
  }
  const storage = await openPostgres(database, options);
  const secrets = databaseSecrets(database);
  const redacted = (text: string): string => secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
  return { storage, where: `PostgreSQL at ${address}`, redacted };
}

async function openPostgres(
  url: string,
  { applicationName, allowPlaintext }: DatabaseOptions,
): Promise<PostgresStorage> {
  const { postgres } = await import('@svc/postgres');
  try {
    return postgres({
      url,
      applicationName,
      transactions: 1,
      readers: 1,
      allowPlaintext: allowPlaintext || process.env['ALLOW_PLAINTEXT'] === 'yes',
    });
  } catch (error) {
    if (!(error instanceof PlaintextRejectedError)) throw error;
    throw new UsageError(plaintextText(error, 'pass --allow-plaintext or set ALLOW_PLAINTEXT=yes'));
  }
}
