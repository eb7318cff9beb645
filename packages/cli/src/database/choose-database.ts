import { existsSync, readdirSync } from 'node:fs';
import { PlaintextRefusedError, plaintextText } from '@svc/core';
import type { PostgresStorage } from '@svc/postgres';
import type { SqliteStorage } from '@svc/sqlite';
import { UsageError } from './failures.js';

export interface ChosenDatabase {
  readonly storage: PostgresStorage | SqliteStorage;
  /** For people, without a password. */
  readonly where: string;
  /** A text of the database's, without the password it may repeat. */
  readonly redacted: (text: string) => string;
}

/** The option of commands that connect to a database. */
export const plaintextOption = { 'allow-plaintext': { type: 'boolean' } } as const;

export interface Choosing {
  /** Whether it creates a file that is missing. */
  readonly creates: boolean;
  /** What the connection is called at the server. */
  readonly who: string;
  /** Whether `--allow-plaintext` was given. `ALLOW_PLAINTEXT=yes` does the same. */
  readonly allowPlaintext: boolean;
}

/** The database that is meant. */
export async function chooseDatabase(given: string | undefined, choosing: Choosing): Promise<ChosenDatabase> {
  const environment = process.env['DATABASE_URL'] ?? '';
  const database = given ?? (environment === '' ? onlyFile() : environment);
  if (/^postgres(?:ql)?:/.test(database)) return await onPostgres(database, choosing);
  if (/^\w{2,}:\/\//.test(database)) throw new UsageError('--database is a postgres:// URL or a SQLite file.');
  if (!choosing.creates && !existsSync(database)) throw new UsageError(`There is no database file ${database}.`);
  const { sqlite } = await import('@svc/sqlite');
  return { storage: sqlite({ file: database }), where: database, redacted: (text) => text };
}

async function onPostgres(database: string, choosing: Choosing): Promise<ChosenDatabase> {
  let url: URL;
  try {
    url = new URL(database);
  } catch {
    throw new UsageError('The database URL cannot be read. It is postgres://user:password@host:port/database.');
  }
  const storage = await openedBy(database, choosing);
  const secrets = [url.password, decodeURIComponent(url.password)].filter((secret) => secret !== '');
  const redacted = (text: string): string => secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
  return { storage, where: `PostgreSQL at ${url.host}${url.pathname}`, redacted };
}

async function openedBy(url: string, { who, allowPlaintext }: Choosing): Promise<PostgresStorage> {
  const { postgres } = await import('@svc/postgres');
  try {
    return postgres({
      url,
      applicationName: who,
      transactions: 1,
      readers: 1,
      allowPlaintext: allowPlaintext || process.env['ALLOW_PLAINTEXT'] === 'yes',
    });
  } catch (error) {
    if (!(error instanceof PlaintextRefusedError)) throw error;
    throw new UsageError(plaintextText(error, 'give --allow-plaintext or set ALLOW_PLAINTEXT=yes'));
  }
}

/** The one file in `.svc`, where services keep theirs. */
function onlyFile(): string {
  const files = existsSync('.svc') ? readdirSync('.svc').filter((name) => name.endsWith('.db')) : [];
  if (files.length === 1) return `.svc/${files[0]}`;
  const why =
    files.length === 0 ? 'DATABASE_URL is not set, and .svc has no database file' : '.svc has several database files';
  throw new UsageError(`Which database? ${why}. Say --database <url or file>.`);
}
