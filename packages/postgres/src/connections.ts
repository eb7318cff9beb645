import pg, { type ClientConfig, type Pool } from 'pg';
import type { Settings } from './options.js';
import { securedConnection } from './secured-connection.js';
import { Sockets } from './sockets.js';

/** The connections of one host: some that write, some that read, so that neither waits for the other. */
export interface Connections {
  readonly writers: Pool;
  readonly readers: Pool;
  readonly config: ClientConfig;
  /** For the connection that listens. */
  readonly listening: ClientConfig;
  readonly sockets: Sockets;
}

/** After how much silence the system asks whether the server is still there, where nobody else does. */
const keepAliveMs = 10_000;

/**
 * Every statement looks up rows by their keys, or reads a few in the order of an index, whatever the size of the tables: its plan is
 * made once. A plan that was made while the tables were empty, without these, would read them from end to end when they are large.
 */
const planning = [
  'plan_cache_mode=force_generic_plan',
  'enable_seqscan=off',
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  'enable_bitmapscan=off',
  'jit=off',
];

export function connect(settings: Settings): Connections {
  const sockets = new Sockets();
  const config: ClientConfig = {
    ...securedConnection(settings),
    application_name: settings.applicationName,
    connectionTimeoutMillis: settings.connectTimeoutMs,
    query_timeout: settings.statementTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    stream: sockets.make,
  };
  const options = planning.map((option) => `-c ${option}`).join(' ');
  const writers = new pg.Pool({ ...config, options, max: settings.transactions });
  const readers = new pg.Pool({ ...config, options, max: settings.readers });
  for (const pool of [writers, readers]) {
    // A connection was lost, idle or in use: the pool makes another one when it is needed, and the statement that was under way
    // fails by itself. Without listeners the process would end.
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => {}));
  }
  // What is asked over it is answered at once, or the connection hangs and another one is sooner there.
  const askingMs = Math.min(settings.statementTimeoutMs, settings.connectTimeoutMs);
  return { writers, readers, config, listening: { ...config, options, query_timeout: askingMs }, sockets };
}
