import type { ServiceBusClient } from '@azure/service-bus';
import { closed, unavailable } from './failures.js';
import { Interruption } from './interruption.js';
import { late, limited } from './limited.js';
import { clientsOf, type ServiceBusCredentials, type Settings } from './options.js';

/** The client usually enforces its own time limits. An operation that exceeds them by this much is abandoned. */
export const graceMs = 1_000;
const maxCloseMs = 2_000;

/** A client while it is in use. */
interface InUse {
  readonly client: ServiceBusClient;
  /** Ends all pending operations when the client is replaced. */
  readonly interruption: Interruption;
}

/**
 * The connection to the namespace, opened on first use. After a lost connection the client leaves some operations pending, or waits a
 * minute whatever its limits: then all its operations are rejected, and a new client replaces it.
 */
export class Connection {
  readonly #create: () => ServiceBusClient;
  readonly #limitMs: number;
  #inUse: InUse;
  #isClosed = false;
  /** Whether the Service Bus answered the last operation, with any result. Null: there was none. */
  answers: boolean | null = null;

  constructor(credentials: ServiceBusCredentials, { timeoutMs, hostName }: Settings) {
    this.#create = clientsOf(credentials, {
      identifier: hostName,
      // Callers retry themselves, with their own limits.
      retryOptions: { maxRetries: 0, timeoutInMs: timeoutMs },
    });
    this.#limitMs = timeoutMs + graceMs;
    this.#inUse = this.#another();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The current client. Senders and receivers of another client are unusable. */
  get client(): ServiceBusClient {
    if (this.#isClosed) throw closed();
    return this.#inUse.client;
  }

  /** The result of an operation of the client, within the time limit. */
  async within<T>(operation: (client: ServiceBusClient) => Promise<T>): Promise<T> {
    const { client } = this;
    const { interruption } = this.#inUse;
    const result = await interruption.unlessEnded(limited(operation(client), this.#limitMs));
    if (result !== late) return result;
    const error = unavailable(`did not answer within ${this.#limitMs} ms`);
    this.giveUp(client, error);
    throw error;
  }

  /** Replaces a client whose connection is lost or does not answer. */
  giveUp(client: ServiceBusClient, error: Error): void {
    if (this.#isClosed || client !== this.#inUse.client) return;
    this.answers = false;
    const old = this.#inUse;
    this.#inUse = this.#another();
    old.interruption.end(error);
    void limited(old.client.close(), maxCloseMs).catch(() => {});
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.answers = false;
    this.#inUse.interruption.end(closed());
    await limited(this.#inUse.client.close(), maxCloseMs).catch(() => {});
  }

  #another(): InUse {
    return { client: this.#create(), interruption: new Interruption() };
  }
}
