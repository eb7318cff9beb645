import type { ServiceBusClient } from '@azure/service-bus';
import { closed, unavailable } from './failures.js';
import { late, limited } from './limited.js';
import { clientsOf, type ServiceBusCredentials, type Settings } from './options.js';

/** The client looks after its time limits itself, most of the time. What takes this much longer is given up. */
const graceMs = 1_000;
const longestCloseMs = 2_000;

/**
 * The connection to the namespace. The client opens it with the first use and again when it was lost. In some places it waits a
 * minute for an answer, whatever it is told: an operation that takes too long is given up, and the client with it.
 */
export class Connection {
  readonly #create: () => ServiceBusClient;
  readonly #limitMs: number;
  readonly #whenClosed: Promise<never>;
  #client: ServiceBusClient;
  #generation = 0;
  #failClosed: (error: Error) => void = () => {};
  #isClosed = false;
  /** How the last operation ended: whether the Service Bus has answered it, with whatever. Null: there was none. */
  answers: boolean | null = null;

  constructor(credentials: ServiceBusCredentials, { timeoutMs, hostName }: Settings) {
    this.#create = clientsOf(credentials, {
      identifier: hostName,
      // Whoever asks tries again, and knows for how long.
      retryOptions: { maxRetries: 0, timeoutInMs: timeoutMs },
    });
    this.#limitMs = timeoutMs + graceMs;
    this.#client = this.#create();
    this.#whenClosed = new Promise((_resolve, reject) => {
      this.#failClosed = reject;
    });
    // Whoever does not wait for anything need not be told.
    this.#whenClosed.catch(() => {});
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Changes when the client was replaced: what was made with the one before is of no use. */
  get generation(): number {
    return this.#generation;
  }

  get client(): ServiceBusClient {
    if (this.#isClosed) throw closed();
    return this.#client;
  }

  /** The result of an operation of the client, within the limit. */
  async within<T>(operation: (client: ServiceBusClient) => Promise<T>): Promise<T> {
    const generation = this.#generation;
    const running = operation(this.client);
    const result = await Promise.race([limited(running, this.#limitMs), this.#whenClosed]);
    if (result !== late) return result;
    this.#replace(generation);
    throw unavailable(`did not answer within ${this.#limitMs} ms`);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.answers = false;
    this.#failClosed(closed());
    await limited(this.#client.close(), longestCloseMs).catch(() => {});
  }

  #replace(generation: number): void {
    this.answers = false;
    if (this.#isClosed || generation !== this.#generation) return;
    this.#generation += 1;
    const old = this.#client;
    this.#client = this.#create();
    void limited(old.close(), longestCloseMs).catch(() => {});
  }
}
