import { existsSync, readdirSync } from 'node:fs';
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

/** The database that is meant. Only `creates` makes a file that is not there. `who` is what the connection is called at the server. */
export async function chooseDatabase(
  given: string | undefined,
  creates: boolean,
  who: string,
): Promise<ChosenDatabase> {
  const environment = process.env['DATABASE_URL'] ?? '';
  const database = given ?? (environment === '' ? onlyFile() : environment);
  if (/^postgres(?:ql)?:/.test(database)) return await onPostgres(database, who);
  if (/^\w{2,}:\/\//.test(database)) throw new UsageError('--database is a postgres:// URL or a SQLite file.');
  if (!creates && !existsSync(database)) throw new UsageError(`There is no database file ${database}.`);
  const { sqlite } = await import('@svc/sqlite');
  return { storage: sqlite({ file: database }), where: database, redacted: (text) => text };
}

async function onPostgres(database: string, who: string): Promise<ChosenDatabase> {
  let url: URL;
  try {
    url = new URL(database);
  } catch {
    throw new UsageError('The database URL cannot be read. It is postgres://user:password@host:port/database.');
  }
  const { postgres } = await import('@svc/postgres');
  const storage = postgres({ url: database, applicationName: who, transactions: 1, readers: 1 });
  const secrets = [url.password, decodeURIComponent(url.password)].filter((secret) => secret !== '');
  const redacted = (text: string): string => secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
  return { storage, where: `PostgreSQL at ${url.host}${url.pathname}`, redacted };
}

/** The one file in `.svc`, where services keep theirs. */
function onlyFile(): string {
  const files = existsSync('.svc') ? readdirSync('.svc').filter((name) => name.endsWith('.db')) : [];
  if (files.length === 1) return `.svc/${files[0]}`;
  const why =
    files.length === 0 ? 'DATABASE_URL is not set, and .svc has no database file' : '.svc has several database files';
  throw new UsageError(`Which database? ${why}. Say --database <url or file>.`);
}
