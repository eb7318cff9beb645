import pg, { type Client, type ClientBase, type ClientConfig, type Pool } from 'pg';
import { parseDatabaseUrl } from './database-url.js';
import { failoverClient } from './failover-client.js';
import { Hosts } from './hosts.js';
import type { KnownEvents } from './known-events.js';
import type { OpenedServers } from './open-failure.js';
import type { Settings } from './options.js';
import { clientOf, securedConnection } from './secured-connection.js';
import { Sockets } from './sockets.js';
import { unnamedStatements } from './unnamed-statements.js';

/** The connections of one host. Writers and readers have separate pools, so that neither waits for the other. */
export interface Connections {
  readonly writers: Pool;
  readonly readers: Pool;
  /** Reads models for callers; null: `readers` do. */
  readonly replica: Pool | null;
  /** Creates a client with a session of its own, even if a pooler is used. */
  readonly newDirect: () => Client;
  /** Creates a client for a migration. The server alone limits the time of its statements. */
  readonly newMigrator: () => Client;
  /** Creates the client that listens for notifications. */
  readonly newListener: () => Client;
  readonly sockets: Sockets;
  readonly servers: OpenedServers;
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
/** The server ends the session of a host that is no longer reachable, which may hold locks. By default, it notices that after hours. */
const keepAlive = ['tcp_keepalives_idle=10', 'tcp_keepalives_interval=5', 'tcp_keepalives_count=3'];

function optionsOf(parameters: readonly string[]): string {
  return parameters.map((parameter) => `-c ${parameter}`).join(' ');
}

function sessionOptions({ statementTimeoutMs }: Settings): string {
  // The client has given up before, and the server would not notice that while the statement waits.
  return optionsOf([...planning, ...keepAlive, `lock_timeout=${statementTimeoutMs + 1_000}`]);
}

export function connect(settings: Settings, known: KnownEvents): Connections {
  const { listenUrl, readUrl } = settings;
  const sockets = new Sockets();
  const url = serversOf(settings.url, settings, sockets);
  const direct = listenUrl === null ? url : serversOf(listenUrl, settings, sockets);
  const onConnect = (client: ClientBase): Promise<void> => known.verify(client);
  const writers = poolOf(url, settings, { max: settings.transactions, onConnect });
  const readers = poolOf(url, settings, { max: settings.readers, onConnect });
  const replica =
    readUrl === undefined ? null : poolOf(serversOf(readUrl, settings, sockets), settings, { max: settings.readers });
  // Its statements are fast. If one is not, the connection hangs, and opening another one is faster.
  const listenTimeoutMs = Math.min(settings.statementTimeoutMs, settings.connectTimeoutMs);
  const { query_timeout: _limit, ...withoutLimit } = direct.config;
  const { Client } = direct;
  return {
    writers,
    readers,
    replica,
    newDirect: () => new Client({ ...direct.config, options: optionsOf(keepAlive) }),
    newMigrator: () =>
      new Client({
        ...withoutLimit,
        options: optionsOf(keepAlive),
        application_name: `${settings.applicationName} migrations`,
      }),
    newListener: () =>
      new Client({ ...direct.config, options: sessionOptions(settings), query_timeout: listenTimeoutMs }),
    sockets,
    servers: url.servers,
  };
}

interface PoolLimits {
  readonly max: number;
  /** Called before a new connection is used; the pool discards the connection if it throws. */
  readonly onConnect?: (client: ClientBase) => Promise<void>;
}

function poolOf({ config, Client, poolTimeoutMs }: Servers, settings: Settings, limits: PoolLimits): Pool {
  // Statements that are planned each time for the tables as they are need no settings, and a pooler accepts none.
  const session =
    settings.listenUrl === null ? { options: sessionOptions(settings), Client } : { Client: unnamedStatements(Client) };
  const pool = new pg.Pool({ ...config, ...session, connectionTimeoutMillis: poolTimeoutMs, ...limits });
  // After a lost connection, the pool opens another one when needed, and the running statement fails. Without listeners, the process
  // would end.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** How to connect to the servers of a URL. */
interface Servers {
  readonly Client: typeof Client;
  readonly config: ClientConfig;
  readonly poolTimeoutMs: number;
  readonly servers: OpenedServers;
}

function serversOf(url: string, settings: Settings, sockets: Sockets): Servers {
  const { connectTimeoutMs } = settings;
  const { urls, sessionAttributes } = parseDatabaseUrl(url);
  const addresses = urls.map((one) => securedConnection({ ...settings, url: one }));
  const config: ClientConfig = {
    ...addresses[0],
    application_name: settings.applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: settings.statementTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    stream: sockets.make,
  };
  const clients = addresses.map(clientOf);
  const servers = {
    address: clients.map(({ host, port }) => `${host}:${port}`).join(','),
    database: clients[0]!.database ?? '',
  };
  if (addresses.length === 1 && sessionAttributes === 'any')
    return { Client: pg.Client, config, poolTimeoutMs: connectTimeoutMs, servers };
  const hosts = new Hosts(addresses, { config, attributes: sessionAttributes, timeoutMs: connectTimeoutMs });
  return {
    Client: failoverClient(hosts, sockets, connectTimeoutMs),
    config,
    poolTimeoutMs: hosts.longestConnectMs,
    servers,
  };
}
