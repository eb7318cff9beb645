import type { Operation } from './commands.js';
import { connect } from './connection.js';
import type { ClientOptions } from './options.js';

/** Operations by the names that the client gives them. */
export type Operations = Readonly<Record<string, Operation<unknown>>>;

/** A client with these operations. */
export type Client<T extends Operations> = { readonly [K in keyof T]: ReturnType<T[K]> };

/** Creates a client with the operations that you pass. It has no connection to close. */
export function createClient<T extends Operations>(options: ClientOptions, bound: T): Client<T> {
  const connection = connect(options);
  const entries = Object.entries(bound).map(([name, bind]) => [name, bind(connection)]);
  return Object.fromEntries(entries) as Client<T>;
}
