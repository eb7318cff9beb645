/**
 * Whether connections have sessions of their own, as notifications and the locks of migrations need
 * ([decision 0087](../../../docs/decisions/0087-poolers-need-a-direct-connection.md)).
 */
import { ServiceError } from '@svc/core';
import type { Client, ClientBase, Pool } from 'pg';
import type { Connections } from './connections.js';
import { isPoolerRefusal } from './failures.js';
import type { Settings } from './options.js';

/** Rejects a pooler in transaction mode as `url` without a `listenUrl`, or as `listenUrl`. */
export async function requireSessions(connections: Connections, { listenUrl }: Settings): Promise<void> {
  const { readers, newDirect, newListener } = connections;
  try {
    const pooled = await identifiedIn(readers);
    const own = listenUrl === null ? pooled : await identified(newListener);
    if (own.database !== pooled.database) throw misconfigured('listenUrl is not a URL of the same database as url');
    if (own.isPooled && (await sharesSessions(newDirect))) throw misconfigured(sharedSessions);
  } catch (error) {
    throw isPoolerRefusal(error) ? misconfigured(`${(error as Error).message}. ${refusedOptions}`, error) : error;
  }
}

const remedy =
  'Give postgres(…) the URL of the database server itself as "listenUrl"; the svc command uses only that URL';
const sharedSessions = `a connection pooler gives each transaction another session. ${remedy}`;
const refusedOptions = `This is a connection pooler. ${remedy}. A pooler in session mode must ignore the startup parameter "options"`;

interface Identity {
  readonly database: string;
  /** The session has another process than the server named when the client connected: a pooler is in between. */
  readonly isPooled: boolean;
}

/** The time at which a server started distinguishes it from others with a database of the same name. */
const identityStatement = `
  SELECT pg_backend_pid() AS pid,
    concat_ws(' ', current_database(), current_schema(), extract(epoch FROM pg_postmaster_start_time())) AS database`;

async function identityOf(client: ClientBase): Promise<Identity> {
  const { rows } = await client.query<{ pid: number; database: string }>(identityStatement);
  const { pid, database } = rows[0]!;
  return { database, isPooled: pid !== (client as ClientBase & { processID: number | null }).processID };
}

async function identifiedIn(pool: Pool): Promise<Identity> {
  const client = await pool.connect();
  try {
    const identity = await identityOf(client);
    client.release();
    return identity;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

async function identified(make: () => Client): Promise<Identity> {
  const client = await connected(make);
  try {
    return await identityOf(client);
  } finally {
    await client.end();
  }
}

/**
 * Whether two connections ever use the same session, or one uses several. The order of statements finds it for poolers that reuse the last
 * session and for those that use all in turn.
 */
async function sharesSessions(make: () => Client): Promise<boolean> {
  const first = await connected(make);
  try {
    const second = await connected(make);
    try {
      const [ofFirst, ofSecond] = [new Set<number>(), new Set<number>()];
      for (let round = 0; round < 3; round++) {
        for (const client of [first, first, second])
          (client === first ? ofFirst : ofSecond).add(await processOf(client));
      }
      return ofFirst.size > 1 || ofSecond.size > 1 || ofFirst.has([...ofSecond][0]!);
    } finally {
      await second.end();
    }
  } finally {
    await first.end();
  }
}

async function connected(make: () => Client): Promise<Client> {
  const client = make();
  // A running statement fails by itself. Without a listener, the process would end.
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function processOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]!.pid;
}

function misconfigured(why: string, cause?: unknown): ServiceError {
  return new ServiceError('SVC_STORAGE_MISCONFIGURED', `Cannot use the connection to PostgreSQL: ${why}.`, { cause });
}
