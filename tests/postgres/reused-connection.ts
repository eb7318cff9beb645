import pg from 'pg';

/**
 * Runs statements one after another over one connection, because a new one costs 20 ms of processor time. A statement that runs at the same
 * time gets its own connection. Each statement finds a new session.
 */
export class ReusedConnection {
  readonly #url: string;
  #idle: pg.Client | null = null;

  constructor(url: string) {
    this.#url = url;
  }

  async use<T>(run: (client: pg.Client) => Promise<T>): Promise<T> {
    const reused = this.#take();
    if (reused !== null) {
      try {
        return await this.#run(reused, run);
      } catch (error) {
        // It was ended since, by a test or a server that stopped, and has run nothing.
        if (!isLost(error)) throw error;
      }
    }
    return await this.#run(await this.#connected(), run);
  }

  /** Ends the idle connection: the next one finds what was changed for new sessions. */
  async end(): Promise<void> {
    await this.#take()?.end();
  }

  async #run<T>(client: pg.Client, run: (client: pg.Client) => Promise<T>): Promise<T> {
    try {
      const result = await run(client);
      await client.query('DISCARD ALL');
      if (this.#idle === null) this.#idle = client;
      else await client.end();
      return result;
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
  }

  #take(): pg.Client | null {
    const idle = this.#idle;
    this.#idle = null;
    return idle;
  }

  async #connected(): Promise<pg.Client> {
    const client = new pg.Client(this.#url);
    client.on('error', () => {
      if (this.#idle === client) this.#idle = null;
    });
    await client.connect();
    return client;
  }
}

function isLost(error: unknown): boolean {
  const { code = '', message = '' } = error as { readonly code?: string; readonly message?: string };
  return ['57P01', 'ECONNRESET', 'EPIPE'].includes(code) || message.startsWith('Connection terminated');
}
