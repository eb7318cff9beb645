import type { ClientOptions } from './options.js';

/** The state that all operations of one client share. */
export interface Connection {
  readonly options: ClientOptions;
  /** The address of the service without a slash at its end. */
  readonly base: string;
  /** The token in use; undefined until a request needs one. */
  token: Promise<string> | undefined;
  /** Counts the starts and ends of commands. */
  clock: number;
  /** The last events of earlier commands. Several, if the commands ran at the same time. */
  events: readonly LastEvent[];
}

/** The last event of a command, and when the command ended. */
export interface LastEvent {
  readonly id: string;
  readonly ended: number;
}

export function connect(options: ClientOptions): Connection {
  // In a browser the address can be relative to the page.
  const page = (globalThis as { readonly location?: { readonly href: string } }).location?.href;
  const { origin, pathname } = new URL(options.url, page);
  return { options, base: `${origin}${pathname.replace(/\/$/, '')}`, token: undefined, clock: 0, events: [] };
}

/** The token in use, or a new one in place of a rejected one. Requests that run at the same time share both. */
export function tokenOf(connection: Connection, rejected?: Promise<string>): Promise<string> | undefined {
  const { token } = connection.options;
  if (token === undefined) return undefined;
  if (connection.token === undefined || connection.token === rejected) {
    const requested = (async () => token(await rejected))();
    connection.token = requested;
    // The next request asks again.
    requested.catch(() => {
      if (connection.token === requested) connection.token = undefined;
    });
  }
  return connection.token;
}
