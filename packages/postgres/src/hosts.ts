/** The hosts of a URL, of which one accepts the connections: the primary of a cluster, wherever it is now. */
import type { Socket } from 'node:net';
import pg, { type Client, type ClientConfig } from 'pg';
import type { SessionAttributes } from './database-url.js';
import { isConnectionLost, isRefusingWork } from './failures.js';
import { clientOf } from './secured-connection.js';
import { UnsuitableHostError } from './unsuitable-host-error.js';

/** One host of the URL. */
export interface Host {
  readonly host: string;
  readonly port: number;
  /** Its URL and TLS. */
  readonly address: ClientConfig;
}

/** What the connections to all hosts have in common. */
export interface HostSearch {
  readonly config: ClientConfig;
  readonly attributes: SessionAttributes;
  /** How long one host may take to answer. */
  readonly timeoutMs: number;
}

/** How long a failed search answers for the next ones, so that callers without a connection do not flood the servers. */
const searchPauseMs = 100;

/**
 * Finds the first host that accepts sessions of the required kind, and remembers it until a connection to it fails. Like libpq, it tries
 * the hosts in their order and ends at one that rejects the login. Unlike libpq, it tries a host whose
 * connection failed after all others.
 */
export class Hosts {
  readonly #hosts: readonly Host[];
  readonly #config: ClientConfig;
  readonly #attributes: SessionAttributes;
  readonly #timeoutMs: number;
  readonly #sockets = new Map<Socket, Host>();
  #found: Promise<Host> | undefined;
  #failed: Host | undefined;

  constructor(addresses: readonly ClientConfig[], { config, attributes, timeoutMs }: HostSearch) {
    this.#hosts = addresses.map((address) => {
      const { host, port } = clientOf(address);
      return { host, port, address };
    });
    this.#config = config;
    this.#attributes = attributes;
    this.#timeoutMs = timeoutMs;
  }

  /** How long finding a host and connecting to it takes at most. */
  get longestConnectMs(): number {
    return (this.#hosts.length + 1) * this.#timeoutMs;
  }

  /** The host to connect to. Concurrent callers share one search. */
  current(): Promise<Host> {
    if (this.#found !== undefined) return this.#found;
    const found = this.#search();
    this.#found = found;
    found.then(
      (host) => this.#leaveOthers(host),
      () => setTimeout(() => this.#forget(found), searchPauseMs).unref(),
    );
    return found;
  }

  /** A connection to the host failed, or it no longer accepts such sessions. The next connection searches again. */
  async lost(host: Host): Promise<void> {
    const found = this.#found;
    if ((await found?.catch(() => null)) !== host) return;
    this.#failed = host;
    this.#forget(found!);
  }

  /** Remembers the socket of a connection. It is destroyed when another host takes over, because the old one may never answer. */
  opened(socket: Socket, host: Host): void {
    this.#sockets.set(socket, host);
    socket.once('close', () => this.#sockets.delete(socket));
  }

  /** Throws if the session is not of the required kind. */
  async requireSuitable(client: Client): Promise<void> {
    if (this.#attributes === 'any') return;
    // Every connection is checked: the same address may be a standby by now.
    const statement = { text: 'SHOW transaction_read_only', query_timeout: this.#timeoutMs };
    const { rows } = await client.query<{ transaction_read_only: string }>(statement);
    if (rows[0]?.transaction_read_only !== 'off') throw new UnsuitableHostError('The server is read-only.');
  }

  #forget(found: Promise<Host>): void {
    if (this.#found === found) this.#found = undefined;
  }

  #leaveOthers(chosen: Host): void {
    for (const [socket, host] of this.#sockets) if (host !== chosen) socket.destroy();
  }

  async #search(): Promise<Host> {
    const failures: string[] = [];
    const failed = this.#failed;
    const others = this.#hosts.filter((host) => host !== failed);
    for (const host of failed === undefined ? others : [...others, failed]) {
      try {
        await this.#probe(host);
        return host;
      } catch (error) {
        if (!isConnectionLost(error) && !isRefusingWork(error)) throw error;
        failures.push(`${host.host}:${host.port}: ${reasonOf(error)}`);
      }
    }
    const kind = this.#attributes === 'any' ? '' : `${this.#attributes} `;
    throw new UnsuitableHostError(`No host of the URL accepts ${kind}connections (${failures.join('; ')}).`);
  }

  async #probe({ address }: Host): Promise<void> {
    const client = new pg.Client({ ...this.#config, ...address });
    client.on('error', () => {});
    try {
      await client.connect();
      await this.requireSuitable(client);
    } finally {
      void client.end().catch(() => {});
    }
  }
}

/** An address with several IP addresses fails with an error that has a code and no message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ('code' in error ? String(error.code) : error.name);
}
