import type { Connection } from './connection.js';
import { RequestError } from './errors.js';
import type { ReadOptions } from './options.js';
import { send, type Outgoing } from './send.js';

export type Parameters = readonly [name: string, value: string][];

/** Reads JSON from paths of one perspective. */
export type Reads = (path: string, parameters: Parameters, options?: ReadOptions) => Promise<unknown>;

/** Reads of one perspective, which wait for the effects of earlier commands of the client. */
export function readsOf(connection: Connection): Reads {
  const afterCommands = readsAfterCommands(connection);
  return async (path, parameters, options = {}) => {
    const get = async (event?: string): Promise<unknown> => {
      const request = readRequest(path, parameters, options, event);
      return (await send(connection, request)).json;
    };
    return await afterCommands(options, get, get);
  };
}

/** The request of a read, which waits for an event if there is one. */
export function readRequest(
  path: string,
  parameters: Parameters,
  { signal, waitSeconds }: ReadOptions,
  event: string | undefined,
): Outgoing {
  const query = new URLSearchParams([...parameters]);
  if (event !== undefined) query.append('afterEvent', event);
  const text = query.toString();
  return {
    method: 'GET',
    path: text === '' ? path : `${path}?${text}`,
    headers: waitSeconds === undefined ? {} : { prefer: `wait=${waitSeconds}` },
    signal,
    isRepeatable: true,
  };
}

/** Calls `get` with the event that it has to wait for, and `wait` for further events. */
export type AfterCommands = <T>(
  options: ReadOptions,
  get: (event?: string) => Promise<T>,
  wait: (event: string) => Promise<unknown>,
) => Promise<T>;

/** Finds out which events the reads of one perspective have to wait for. */
export function readsAfterCommands(connection: Connection): AfterCommands {
  /** The perspective has processed the events of the commands that ended up to here. */
  let processed = -1;

  return async ({ afterEvent }, get, wait) => {
    if (typeof afterEvent === 'string') return await get(afterEvent);
    const isWaiting = afterEvent !== false && connection.options.readYourWrites !== false;
    const events = isWaiting ? connection.events : [];
    const last = events.at(-1);
    if (last === undefined) return await get();
    try {
      // A request waits for one event. Which of several concurrent commands stored the last one is unknown: wait for each, once.
      const others = events.filter((event) => event !== last && event.ended > processed);
      await Promise.all(others.map(({ id }) => wait(id)));
      const found = await get(last.id);
      processed = Math.max(processed, last.ended);
      return found;
    } catch (error) {
      if (!isUnknownEvent(error)) throw error;
      // The service has another database by now, without these events.
      connection.events = connection.events.filter((event) => !events.includes(event));
      return await get();
    }
  };
}

function isUnknownEvent(error: unknown): boolean {
  return error instanceof RequestError && error.detailAt('/afterEvent') !== undefined;
}
