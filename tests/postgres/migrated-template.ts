/** A database that svc has migrated once for all tests of a run. A copy of it takes a quarter of the time of a migration. */
import pg from 'pg';
import { inject } from 'vitest';
import { MigratedSchema } from './migrated-schema.js';

let made: Promise<MigratedSchema> | undefined;

/** Replaces a database with a copy, which ends all connections to it. `server`: the server of this run. */
export async function copyTemplate(server: string, name: string): Promise<MigratedSchema> {
  return await connected(server, async (client) => {
    made ??= findOrMake(client, server);
    const migrated = await made;
    await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${inject('postgres').template}`);
    return migrated;
  });
}

/** Test files run in several processes: the first one that needs it makes it. */
async function findOrMake(client: pg.Client, server: string): Promise<MigratedSchema> {
  const { template } = inject('postgres');
  await client.query('SELECT pg_advisory_lock(hashtext($1))', [template]);
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [template]);
    const url = new URL(server);
    url.pathname = `/${template}`;
    if (rowCount === 0) await client.query(`CREATE DATABASE ${template}`);
    return await connected(url.href, (one) =>
      rowCount === 0 ? MigratedSchema.create(one, url.href, 'public') : MigratedSchema.read(one, 'public'),
    );
  } catch (error) {
    made = undefined;
    await client.query(`DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
    throw error;
  } finally {
    await client.query('SELECT pg_advisory_unlock(hashtext($1))', [template]);
  }
}

async function connected<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
