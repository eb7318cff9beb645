import pg, { type Client, type ClientConfig } from 'pg';
import type { Hosts } from './hosts.js';
import type { Sockets } from './sockets.js';

/** The class of clients that connect to whichever of the hosts accepts their sessions. */
export function failoverClient(hosts: Hosts, sockets: Sockets, timeoutMs: number): typeof Client {
  return class FailoverClient extends pg.Client {
    readonly #socket;
    #isEnded = false;

    constructor(config: ClientConfig) {
      const socket = sockets.make();
      // The pool waits for the search too, this client only for its own connection.
      super({ ...config, connectionTimeoutMillis: timeoutMs, stream: () => socket });
      this.#socket = socket;
      // A pool listens once `connect` has ended: a connection that is lost before, while the host is checked, would end the process.
      this.on('error', () => {});
    }

    override connect(): Promise<Client>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<Client> | void {
      const connecting = this.#connect(() => super.connect());
      if (callback === undefined) return connecting;
      void settle(connecting, callback);
    }

    override end(): Promise<void>;
    override end(callback: (error: Error) => void): void;
    override end(callback?: (error: Error) => void): Promise<void> | void {
      this.#isEnded = true;
      return callback === undefined ? super.end() : super.end(callback);
    }

    async #connect(connect: () => Promise<unknown>): Promise<Client> {
      try {
        const host = await hosts.current();
        if (this.#isEnded) throw new Error('Connection terminated');
        // `pg` reads them when it connects, and verifies the certificate of this host.
        Object.assign(this, { host: host.host, port: host.port });
        hosts.opened(this.#socket, host);
        try {
          await connect();
          await hosts.requireSuitable(this);
        } catch (error) {
          await hosts.lost(host);
          throw error;
        }
        return this;
      } catch (error) {
        this.#socket.destroy();
        throw error;
      }
    }
  };
}

/** Calls back as `pg` does. Its types have no success. */
async function settle(connecting: Promise<unknown>, callback: (error: Error) => void): Promise<void> {
  let failure: unknown = null;
  try {
    await connecting;
  } catch (error) {
    failure = error;
  }
  callback(failure as Error);
}
