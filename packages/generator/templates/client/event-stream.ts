import type { Connection } from './connection.js';
import { attempt, exchange, notOf, type Outgoing } from './send.js';
import { ServerEvents, type ServerEvent } from './server-events.js';

/** A service sends a heartbeat every 15 seconds. After this time without a byte the connection is lost. */
const silenceMs = 45_000;

/** An open connection that receives server-sent events. */
export class EventStream {
  readonly #events = new ServerEvents();
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #close: () => void;
  #peeked: readonly ServerEvent[] = [];
  #pending: ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']> | undefined;

  constructor(body: ReadableStream<Uint8Array>, signal: AbortSignal, close: () => void) {
    this.#reader = body.getReader();
    this.#close = close;
    // A pending read ends even if the fetch of the caller ignores signals. An end before that of the response is no error.
    signal.addEventListener('abort', () => {
      this.#pending?.catch(() => {});
      this.#reader.cancel().catch(() => {});
    });
  }

  get retryMs(): number {
    return this.#events.retryMs;
  }

  /** Waits for the first events, which `next` returns as well. */
  async peek(): Promise<readonly ServerEvent[]> {
    for (let events: readonly ServerEvent[] | null | undefined = []; events?.length === 0;) {
      events = await this.next();
      this.#peeked = events ?? [];
    }
    return this.#peeked;
  }

  /** The events of the next chunk. Null: the connection has ended. Undefined: there was none within the time. */
  async next(limitMs: number = silenceMs): Promise<readonly ServerEvent[] | null | undefined> {
    const peeked = this.#peeked;
    this.#peeked = [];
    if (peeked.length > 0) return peeked;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const limit = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), limitMs)));
    let chunk: { readonly done: boolean; readonly value?: Uint8Array | undefined } | undefined;
    try {
      chunk = await Promise.race([(this.#pending ??= this.#reader.read()), limit]);
    } catch {
      return null;
    } finally {
      clearTimeout(timer);
    }
    if (chunk === undefined) return limitMs < silenceMs ? undefined : null;
    this.#pending = undefined;
    return chunk.value === undefined ? null : this.#events.push(chunk.value);
  }

  close(): void {
    this.#close();
  }
}

/** Sends a request whose response is a stream of events, and repeats it as other requests. `check` throws if the stream begins with an error. */
export async function openEvents(
  connection: Connection,
  request: Outgoing,
  check?: (stream: EventStream) => Promise<void>,
): Promise<EventStream> {
  const { signal } = request;
  return await attempt(connection, request, async (token) => {
    signal?.throwIfAborted();
    const own = new AbortController();
    const stop = (): void => own.abort();
    const close = (): void => {
      signal?.removeEventListener('abort', stop);
      stop();
    };
    signal?.addEventListener('abort', stop);
    const timer = setTimeout(stop, silenceMs);
    try {
      const response = await exchange(connection, { ...request, signal: own.signal }, token);
      const type = response.headers.get('content-type');
      if (response.body === null || !type?.startsWith('text/event-stream'))
        throw notOf(response, request, 'an event stream');
      const stream = new EventStream(response.body, own.signal, close);
      await check?.(stream);
      return stream;
    } catch (error) {
      close();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  });
}
