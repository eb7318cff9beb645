import pg, { type ClientConfig, type Pool } from 'pg';
import type { Settings } from './options.js';
import { securedConnection } from './secured-connection.js';
import { Sockets } from './sockets.js';
import { UnnamedStatements } from './unnamed-statements.js';

/** The connections of one host. Writers and readers have separate pools, so that neither waits for the other. */
export interface Connections {
  readonly writers: Pool;
  readonly readers: Pool;
  /** The configuration of connections with sessions of their own, even if a pooler is used. */
  readonly direct: ClientConfig;
  /** The configuration of the connection that listens for notifications. */
  readonly listening: ClientConfig;
  readonly sockets: Sockets;
}

/** After this time without traffic, the operating system probes the connection. */
const keepAliveMs = 10_000;

/**
 * Every statement finds rows by an index, whatever the size of the tables, so its plan is made once. Without these settings, a plan
 * made for empty tables would scan them completely when they are large.
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
  const common: ClientConfig = {
    application_name: settings.applicationName,
    connectionTimeoutMillis: settings.connectTimeoutMs,
    query_timeout: settings.statementTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    stream: sockets.make,
  };
  const config = { ...securedConnection(settings), ...common };
  const { listenUrl } = settings;
  const direct = listenUrl === null ? config : { ...securedConnection({ ...settings, url: listenUrl }), ...common };
  const options = planning.map((option) => `-c ${option}`).join(' ');
  // Statements that are planned each time for the tables as they are need no settings, and a pooler accepts none.
  const pooled = listenUrl === null ? { ...config, options } : { ...config, Client: UnnamedStatements };
  const writers = new pg.Pool({ ...pooled, max: settings.transactions });
  const readers = new pg.Pool({ ...pooled, max: settings.readers });
  for (const pool of [writers, readers]) {
    // After a lost connection, the pool opens another one when needed, and the running statement fails. Without listeners, the process
    // would end.
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => {}));
  }
  // Its statements are fast. If one is not, the connection hangs, and opening another one is faster.
  const listenTimeoutMs = Math.min(settings.statementTimeoutMs, settings.connectTimeoutMs);
  return { writers, readers, direct, listening: { ...direct, options, query_timeout: listenTimeoutMs }, sockets };
}
