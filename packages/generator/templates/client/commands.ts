import type { Connection } from './connection.js';
import type { CommandOptions } from './options.js';
import { pathPart } from './paths.js';
import { send } from './send.js';

/** Something that a client can do. `createClient` binds it to a service. */
export type Operation<T> = (connection: Connection) => T;

/** The operation of a command. */
export type CommandOperation<TCommand, TResult> = Operation<
  (command: TCommand, options?: CommandOptions) => Promise<TResult>
>;

/** A command that is sent to a route. The values of its parameters are in the path, all others in the body. */
export function command<TCommand extends object, TResult>(
  route: string,
  read?: (json: never) => TResult,
): CommandOperation<TCommand, TResult> {
  return (connection) =>
    async (given, { signal, idempotencyKey = newKey() } = {}) => {
      const body = { ...given } as Record<string, unknown>;
      const path = route.replace(/:(\w+)/g, (_, name: string) => {
        const value = body[name];
        delete body[name];
        return pathPart(name, value);
      });
      const started = connection.clock++;
      const { json, headers } = await send(connection, {
        method: 'POST',
        path,
        headers: {
          'content-type': 'application/json',
          ...(idempotencyKey !== false && { 'idempotency-key': idempotencyKey }),
        },
        body: JSON.stringify(body, setsAsArrays),
        signal,
        isRepeatable: idempotencyKey !== false,
      });
      remember(connection, started, headers);
      return read === undefined ? (json as TResult) : read(json as never);
    };
}

/** Remembers the last event of a command, for which later reads wait. */
export function remember(connection: Connection, started: number, headers: Headers): void {
  const id = headers.get('svc-last-event');
  if (id === null) return;
  // Commands that had ended before this one started stored their events earlier. Of the others the order is unknown.
  connection.events = [...connection.events.filter(({ ended }) => ended > started), { id, ended: connection.clock++ }];
}

export function setsAsArrays(_name: string, value: unknown): unknown {
  return value instanceof Set ? [...value] : value;
}

/** Pages without TLS have no `crypto.randomUUID`. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
