import type { Operation } from './commands.js';
import { openEvents } from './event-stream.js';
import { follow, iterate, linked, type Connect } from './following.js';
import { applied, type LiveChange, type LiveModel } from './live-changes.js';
import { LiveSteps } from './live-steps.js';
import { parametersOf, type Models, type ModelsOperation, type ModelsQuery } from './models.js';
import type { ReadOptions } from './options.js';
import { readRequest, readsAfterCommands } from './reads.js';

/** A list that is being watched. */
export interface LiveWatch {
  /** Closes the connection. The callback is not called again. */
  stop(): void;
  /** Resolves after `stop`. Rejects if the service rejects the request, or if the callback throws. */
  readonly ended: Promise<void>;
}

/** The models of a perspective, and their changes. */
export interface LiveModels<TModel, TWhere, TSort> extends Models<TModel, TWhere, TSort> {
  /** Iterates over the first page of a list, and then over its changes. It connects again when a connection is lost. */
  live(query?: ModelsQuery<TWhere, TSort>, options?: ReadOptions): AsyncIterable<LiveChange<TModel>>;
  /** Calls back with the first page of a list, and again after each change. */
  watch(
    query: ModelsQuery<TWhere, TSort>,
    callback: (models: readonly TModel[]) => void,
    options?: ReadOptions,
  ): LiveWatch;
}

/** The operation of live models. */
export type LiveOperation<TModel, TWhere, TSort> = Operation<LiveModels<TModel, TWhere, TSort>>;

/** Makes models live: `createClient(options, { orders: live(orders) })`. */
export function live<TModel, TWhere extends object, TSort extends string>(
  operation: ModelsOperation<TModel, TWhere, TSort>,
): LiveOperation<TModel, TWhere, TSort> {
  return (connection) => {
    const afterCommands = readsAfterCommands(connection);

    async function* batches(
      query: ModelsQuery<TWhere, TSort>,
      options: ReadOptions,
      stop: AbortController,
    ): AsyncGenerator<readonly LiveChange<TModel>[], void> {
      const parameters = parametersOf(query);
      if (parameters === null) {
        yield [{ kind: 'page', models: [] }];
        return await aborted(options.signal, stop);
      }
      const connect: Connect = ({ place, event, signal, retries }) => {
        const request = readRequest(`${operation.route}/live`, parameters, { ...options, signal }, event);
        const headers = place === null ? request.headers : { ...request.headers, 'last-event-id': place };
        return openEvents(connection, { ...request, headers, retries });
      };
      yield* follow(connect, new LiveSteps(operation.read), options, stop, afterCommands);
    }

    return {
      ...operation(connection),
      live: (query = {}, options = {}) => iterate(options.signal, (stop) => batches(query, options, stop)),
      watch(query, callback, options = {}) {
        const stop = new AbortController();
        const showAll = async (): Promise<void> => {
          let models: readonly LiveModel<TModel>[] = [];
          for await (const batch of batches(query, options, stop)) {
            models = batch.reduce(applied, models);
            if (!stop.signal.aborted) callback(models.map(({ model }) => model));
          }
        };
        return { stop: () => stop.abort(), ended: showAll() };
      },
    };
  };
}

async function aborted(signal: AbortSignal | undefined, stop: AbortController): Promise<void> {
  const unlink = linked(signal, stop);
  await new Promise<void>((resolve) => {
    if (stop.signal.aborted) resolve();
    else stop.signal.addEventListener('abort', () => resolve());
  });
  unlink();
}
