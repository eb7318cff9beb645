import { randomBytes } from 'node:crypto';
import { postgres } from '@svc/postgres';
import { storedPassword } from '../../tools/postgres/stored-password.mjs';
import { ReusedConnection } from './reused-connection.js';
import { createOwnedDatabase, query, serverUrl, type TestDatabase } from './test-database.js';

/** A database with an owner, and a runtime role that the storage uses. */
export interface TwoRoles {
  readonly owner: TestDatabase;
  readonly runtimeRole: string;
  /** The URL of the runtime role. */
  readonly url: string;
  /** Removes everything but the schema, which is faster than another database. */
  clear(): Promise<void>;
  /** Executes a statement as the runtime role. */
  asRuntime(sql: string): ReturnType<TestDatabase['query']>;
  remove(): Promise<void>;
}

/** A database with a runtime role that has no rights yet. */
export async function createTwoRoles(server = serverUrl()): Promise<TwoRoles> {
  const owner = await createOwnedDatabase(server);
  const [ownerRole, password] = [new URL(owner.url).username, randomBytes(16).toString('hex')];
  const runtimeRole = `${ownerRole}_runtime`;
  const stored = storedPassword(password);
  await query(server, `CREATE ROLE ${runtimeRole} LOGIN PASSWORD '${stored}'; GRANT ${runtimeRole} TO ${ownerRole}`);
  const url = new URL(owner.url);
  [url.username, url.password] = [runtimeRole, password];
  const admin = new URL(server);
  admin.pathname = url.pathname;
  const [asAdministrator, asRuntime] = [new ReusedConnection(admin.href), new ReusedConnection(url.href)];
  // As in every version since 15.
  await asAdministrator.use((client) => client.query('ALTER SCHEMA public OWNER TO pg_database_owner'));
  return {
    owner,
    runtimeRole,
    url: url.href,
    clear: async () => void (await asAdministrator.use((client) => client.query(clearStatement))),
    asRuntime: (sql) => asRuntime.use((client) => client.query(sql)),
    async remove() {
      await Promise.all([asAdministrator.end(), asRuntime.end()]);
      await owner.remove();
      await query(server, `DROP ROLE ${runtimeRole}`);
    },
  };
}

/** The same with the schema of svc and separate roles. */
export async function createSeparatedDatabase(server = serverUrl()): Promise<TwoRoles> {
  const database = await createTwoRoles(server);
  await separate(database);
  return database;
}

/** Migrates as the owner, then separates the roles as the owner. */
export async function separate({ owner, runtimeRole }: TwoRoles): Promise<void> {
  const storage = postgres({ url: owner.url });
  try {
    await storage.open();
    await storage.roles.apply(await storage.roles.plan({ runtime: runtimeRole }));
  } finally {
    await storage.close();
  }
}

/** As the administrator of the server: the triggers of the log reject it for everyone else. For few rows, DELETE is faster than TRUNCATE. */
const clearStatement = `
  SET session_replication_role = replica;
  DO $$ DECLARE one record; BEGIN
    FOR one IN SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = 'svc_models' LOOP
      EXECUTE 'DROP TABLE ' || one.name;
    END LOOP;
    FOR one IN SELECT tablename AS name FROM pg_tables
      WHERE schemaname = 'public' AND tablename NOT IN ('svc_roles', 'svc_schema_migrations') LOOP
      EXECUTE format('DELETE FROM public.%I', one.name);
    END LOOP;
    FOR one IN SELECT sequencename AS name, start_value FROM pg_sequences WHERE schemaname = 'public' LOOP
      PERFORM setval(format('public.%I', one.name), one.start_value, false);
    END LOOP;
  END $$;
  DELETE FROM public.svc_schema_migrations WHERE key LIKE 'perspective/%';`;
