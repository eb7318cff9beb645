import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, inject } from 'vitest';
import { storedPassword } from '../../tools/postgres/stored-password.mjs';
import { MigratedSchema } from './migrated-schema.js';
import { copyTemplate } from './migrated-template.js';
import { ReusedConnection } from './reused-connection.js';

/** A database that was made for one test file and is removed after it. */
export interface TestDatabase {
  readonly url: string;
  /** Makes it empty for whoever connects from now on, which is faster than another database. */
  clear(): Promise<void>;
  /** Makes it as it is after svc has migrated it for the first time, which is faster than to migrate it again. Ends all connections to it. */
  reset(): Promise<void>;
  /** Runs a statement in a session of its own. */
  query(sql: string): Promise<pg.QueryResult>;
  remove(): Promise<void>;
}

export function serverUrl(): string {
  const { url, why } = inject('postgres');
  if (url === null) throw new Error(why);
  return url;
}

/** Makes a database for the tests of a suite, which is migrated and empty before each of them. Other suites of the file need no server. */
export function useDatabase(use: (database: TestDatabase) => void): void {
  let database: TestDatabase;
  beforeAll(async () => use((database = await createDatabase())));
  beforeEach(() => database.reset());
  afterAll(() => database.remove());
}

/** Makes an empty database on the server of this test run. */
export async function createDatabase(server = serverUrl()): Promise<TestDatabase> {
  const name = newName();
  await query(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return databaseAt(server, url);
}

/** Makes an empty database whose user owns it and may do nothing else on the server. */
export async function createOwnedDatabase(server = serverUrl()): Promise<TestDatabase> {
  const [name, password] = [newName(), randomBytes(16).toString('hex')];
  await query(server, `CREATE ROLE ${name} LOGIN PASSWORD '${storedPassword(password)}'`);
  await query(server, `CREATE DATABASE ${name} OWNER ${name}`);
  const url = new URL(server);
  [url.username, url.password, url.pathname] = [name, password, `/${name}`];
  const database = databaseAt(server, url);
  return {
    ...database,
    async remove() {
      await database.remove();
      await query(server, `DROP ROLE ${name}`);
    },
  };
}

const newName = (): string => `svc_test_${randomBytes(8).toString('hex')}`;

function databaseAt(server: string, { href, pathname }: URL): TestDatabase {
  const name = pathname.slice(1);
  let schemas = 0;
  let migrated: MigratedSchema | null = null;
  const administratorUrl = new URL(server);
  administratorUrl.pathname = pathname;
  const asUser = new ReusedConnection(href);
  const asAdministrator = new ReusedConnection(administratorUrl.href);
  // Another user would not own the tables of a copy.
  const mayCopy = server === inject('postgres').url && href === administratorUrl.href;
  const run = (sql: string): Promise<pg.QueryResult> => asUser.use((client) => client.query(sql));
  async function clear(): Promise<void> {
    const schema = `case_${++schemas}`;
    migrated = null;
    await run(`CREATE SCHEMA ${schema}; ALTER DATABASE ${name} SET search_path = ${schema}`);
    await asUser.end();
  }
  return {
    url: href,
    clear,
    async reset() {
      // Restoring ends all other connections.
      await asUser.end();
      if (await asAdministrator.use(async (client) => (await migrated?.restore(client)) === true)) return;
      if (mayCopy) {
        await asAdministrator.end();
        migrated = await copyTemplate(server, name);
        return;
      }
      await clear();
      migrated = await asAdministrator.use((client) => MigratedSchema.create(client, href, `case_${schemas}`));
    },
    query: run,
    async remove() {
      await Promise.all([asUser.end(), asAdministrator.end()]);
      await query(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

export async function query(url: string, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}
