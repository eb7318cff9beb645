import type { ServiceBusClient } from '@azure/service-bus';
import { closed, unavailable } from './failures.js';
import { Interruption } from './interruption.js';
import { late, limited } from './limited.js';
import { clientsOf, type ServiceBusCredentials, type Settings } from './options.js';

/** The client looks after its time limits itself, most of the time. What takes this much longer is given up. */
export const graceMs = 1_000;
const longestCloseMs = 2_000;

/** A client, for as long as it is of use. */
interface InUse {
  readonly client: ServiceBusClient;
  /** Everything that is asked of it ends when it is given up. */
  readonly asked: Interruption;
}

/**
 * The connection to the namespace. The client opens it with the first use. When the connection is lost, the client lets some of those
 * who wait go on waiting, and in some places it waits a minute for an answer, whatever it is told: then it is given up as a whole,
 * everybody is told, and another one takes its place.
 */
export class Connection {
  readonly #create: () => ServiceBusClient;
  readonly #limitMs: number;
  #inUse: InUse;
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
    this.#inUse = this.#another();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The client that is in use. What was made with another one is of no use. */
  get client(): ServiceBusClient {
    if (this.#isClosed) throw closed();
    return this.#inUse.client;
  }

  /** The result of an operation of the client, within the limit. */
  async within<T>(operation: (client: ServiceBusClient) => Promise<T>): Promise<T> {
    const { client } = this;
    const { asked } = this.#inUse;
    const result = await asked.unlessEnded(limited(operation(client), this.#limitMs));
    if (result !== late) return result;
    const error = unavailable(`did not answer within ${this.#limitMs} ms`);
    this.giveUp(client, error);
    throw error;
  }

  /** The connection of a client is lost, or as good as lost. */
  giveUp(client: ServiceBusClient, error: Error): void {
    if (this.#isClosed || client !== this.#inUse.client) return;
    this.answers = false;
    const old = this.#inUse;
    this.#inUse = this.#another();
    old.asked.end(error);
    void limited(old.client.close(), longestCloseMs).catch(() => {});
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.answers = false;
    this.#inUse.asked.end(closed());
    await limited(this.#inUse.client.close(), longestCloseMs).catch(() => {});
  }

  #another(): InUse {
    return { client: this.#create(), asked: new Interruption() };
  }
}
