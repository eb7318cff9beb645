import type { Connection } from './connection.js';
import { RequestError } from './errors.js';
import type { ReadOptions } from './options.js';
import { send } from './send.js';

export type Parameters = readonly [name: string, value: string][];

/** Reads JSON from paths of one perspective. */
export type Reads = (path: string, parameters: Parameters, options?: ReadOptions) => Promise<unknown>;

/** Reads of one perspective, which wait for the effects of earlier commands of the client. */
export function readsOf(connection: Connection): Reads {
  /** The perspective has processed the events of the commands that ended up to here. */
  let processed = -1;

  return async (path, parameters, { signal, afterEvent, waitSeconds } = {}) => {
    const get = async (event?: string): Promise<unknown> => {
      const query = new URLSearchParams([...parameters]);
      if (event !== undefined) query.append('afterEvent', event);
      const text = query.toString();
      const { json } = await send(connection, {
        method: 'GET',
        path: text === '' ? path : `${path}?${text}`,
        headers: waitSeconds === undefined ? {} : { prefer: `wait=${waitSeconds}` },
        signal,
        isRepeatable: true,
      });
      return json;
    };
    if (typeof afterEvent === 'string') return await get(afterEvent);
    const isWaiting = afterEvent !== false && connection.options.readYourWrites !== false;
    const events = isWaiting ? connection.events : [];
    const last = events.at(-1);
    if (last === undefined) return await get();
    try {
      // A request waits for one event. Which of several concurrent commands stored the last one is unknown: wait for each, once.
      const others = events.filter((event) => event !== last && event.ended > processed);
      await Promise.all(others.map(({ id }) => get(id)));
      const json = await get(last.id);
      processed = Math.max(processed, last.ended);
      return json;
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
