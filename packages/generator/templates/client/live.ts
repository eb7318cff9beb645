import type { Operation } from './commands.js';
import { openEvents, type EventStream } from './event-stream.js';
import { applied, type LiveChange, type LiveModel } from './live-changes.js';
import { liveChanges } from './live-steps.js';
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

    /** Ends when either the caller's signal or `stop` is aborted. */
    async function* batches(
      query: ModelsQuery<TWhere, TSort>,
      options: ReadOptions,
      stop: AbortController,
    ): AsyncGenerator<readonly LiveChange<TModel>[], void> {
      const { signal } = stop;
      const abort = (): void => stop.abort();
      options.signal?.addEventListener('abort', abort);
      if (options.signal?.aborted === true) abort();
      const parameters = parametersOf(query);
      let isFirst = true;
      const open = async (place: string | null, event?: string): Promise<EventStream> => {
        const request = readRequest(`${operation.route}/live`, parameters ?? [], { ...options, signal }, event);
        const headers = place === null ? request.headers : { ...request.headers, 'last-event-id': place };
        // A service that cannot be reached at first is an error, as for other reads. Later it is expected to come back.
        return await openEvents(connection, { ...request, headers, retries: isFirst ? undefined : Infinity });
      };
      try {
        if (parameters === null) {
          yield [{ kind: 'page', models: [] }];
          return await aborted(signal);
        }
        const connect = async (place: string | null): Promise<EventStream> => {
          const stream = await (place === null
            ? afterCommands(
                options,
                (event) => open(null, event),
                async (event) => (await open(null, event)).close(),
              )
            : open(place));
          isFirst = false;
          return stream;
        };
        yield* liveChanges(connect, operation.read, signal);
      } finally {
        options.signal?.removeEventListener('abort', abort);
        abort();
      }
    }

    async function* changes(
      query: ModelsQuery<TWhere, TSort>,
      options: ReadOptions,
      stop: AbortController,
    ): AsyncGenerator<LiveChange<TModel>, void> {
      for await (const batch of batches(query, options, stop)) {
        for (const change of batch) {
          yield change;
          options.signal?.throwIfAborted();
        }
      }
      options.signal?.throwIfAborted();
    }

    return {
      ...operation(connection),
      live: (query = {}, options = {}) => ({
        [Symbol.asyncIterator]() {
          const stop = new AbortController();
          const iterator = changes(query, options, stop);
          return {
            next: () => iterator.next(),
            return() {
              // A generator would wait for its next change before it ends.
              stop.abort();
              return iterator.return();
            },
          };
        },
      }),
      watch(query, callback, options = {}) {
        const stop = new AbortController();
        const follow = async (): Promise<void> => {
          let models: readonly LiveModel<TModel>[] = [];
          for await (const batch of batches(query, options, stop)) {
            models = batch.reduce(applied, models);
            if (!stop.signal.aborted) callback(models.map(({ model }) => model));
          }
        };
        return { stop: () => stop.abort(), ended: follow() };
      },
    };
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve());
  });
}
