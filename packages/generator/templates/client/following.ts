import type { EventStream } from './event-stream.js';
import type { ReadOptions } from './options.js';
import type { AfterCommands } from './reads.js';
import { delay } from './send.js';
import type { ServerEvent } from './server-events.js';

/** A service sends all events of a step at once. After this time without another one, the step is complete. */
const stepMs = 100;

/** Reads the events of one stream, which has a new connection after each one that is lost. */
export interface EventReader<T> {
  /** Where to continue after a reconnect; null: at the beginning. */
  readonly place: string | null;
  /** Whether no part of a step is missing. */
  readonly isComplete: boolean;
  /** The service has something that the client does not have, and does not send. */
  readonly isLost: boolean;
  /** The service has nothing more to send. */
  readonly isOver: boolean;
  /** What an event completes. */
  take(event: ServerEvent): T[];
  /** What a step has that ends at a place; null: its place is that of the last one. */
  complete(place: string | null): T[];
  /** Forgets what is incomplete. Returns whether everything has to be requested. */
  restart(): boolean;
}

/** How to connect: at a place, after an event, and how often to retry. */
export interface ConnectOptions {
  readonly place: string | null;
  readonly event: string | undefined;
  readonly signal: AbortSignal;
  readonly retries: number | undefined;
}

export type Connect = (options: ConnectOptions) => Promise<EventStream>;

/** Follows a stream until the caller's signal or `stop` is aborted. Each batch has what arrived together. */
export async function* follow<T>(
  connect: Connect,
  reader: EventReader<T>,
  options: ReadOptions,
  stop: AbortController,
  afterCommands: AfterCommands,
): AsyncGenerator<readonly T[], void> {
  const unlink = linked(options.signal, stop);
  const { signal } = stop;
  // A service that cannot be reached at first is an error, as for other reads. Later it is expected to come back.
  let retries: number | undefined;
  const open = async (place: string | null): Promise<EventStream> => {
    const connectAfter = (event?: string): Promise<EventStream> => connect({ place, event, signal, retries });
    const stream = await (place === null
      ? afterCommands(options, connectAfter, async (event) => (await connectAfter(event)).close())
      : connectAfter());
    retries = Infinity;
    return stream;
  };
  try {
    yield* batches(open, reader, signal);
  } finally {
    unlink();
    stop.abort();
  }
}

async function* batches<T>(
  open: (place: string | null) => Promise<EventStream>,
  reader: EventReader<T>,
  signal: AbortSignal,
): AsyncGenerator<readonly T[], void> {
  let stream: EventStream | undefined;
  try {
    for (let failed = 0; ;) {
      stream = await open(reader.place);
      failed++;
      for (let isOpen = true; isOpen;) {
        const events = await stream.next(reader.isComplete ? undefined : stepMs);
        const batch: T[] = events === undefined ? reader.complete(null) : [];
        for (const event of events ?? []) {
          batch.push(...reader.take(event));
          failed = 0;
        }
        if (batch.length > 0) yield batch;
        isOpen = events !== null && !reader.isLost && !reader.isOver;
      }
      stream.close();
      signal.throwIfAborted();
      if (reader.isOver) return;
      const isLost = reader.restart();
      if (!isLost) await delay(Math.min(stream.retryMs * 2 ** failed, 60_000), signal);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    stream?.close();
  }
}

/** Iterates over the parts of batches. The loop of the caller can end at any time. */
export function iterate<T>(
  signal: AbortSignal | undefined,
  start: (stop: AbortController) => AsyncGenerator<readonly T[], void>,
): AsyncIterable<T> {
  async function* parts(stop: AbortController): AsyncGenerator<T, void> {
    for await (const batch of start(stop)) {
      for (const part of batch) {
        yield part;
        signal?.throwIfAborted();
      }
    }
    signal?.throwIfAborted();
  }
  return {
    [Symbol.asyncIterator]() {
      const stop = new AbortController();
      const iterator = parts(stop);
      return {
        next: () => iterator.next(),
        return() {
          // A generator would wait for its next part before it ends.
          stop.abort();
          return iterator.return();
        },
      };
    },
  };
}

/** Aborts `stop` with the caller's signal, until the returned function is called. */
export function linked(signal: AbortSignal | undefined, stop: AbortController): () => void {
  const abort = (): void => stop.abort();
  signal?.addEventListener('abort', abort);
  if (signal?.aborted === true) abort();
  return () => signal?.removeEventListener('abort', abort);
}
