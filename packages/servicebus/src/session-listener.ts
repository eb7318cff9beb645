import type { ServiceBusClient, ServiceBusSessionReceiver } from '@azure/service-bus';
import { newId, ServiceError } from '@svc/core';
import { RetryDelay } from '@svc/core/transport';
import type { Connection } from './connection.js';
import type { SessionSource } from './entities.js';
import { isAnswer, isNoSession, isSessionLocked, configurationError, unavailable } from './failures.js';
import type { Settings } from './options.js';
import { SessionTurn, type Incoming } from './session-turn.js';

/** How many links wait for the next session with messages. */
const acceptors = 4;
/** How long the client renews the lock of a session: longer than any outage of a storage. */
const maxRenewalMs = 365 * 86_400_000;

/** Receives from one subscription or queue: gives each stream with messages its turn, up to a maximum number at once. */
export class SessionListener {
  readonly #source: SessionSource;
  readonly #connection: Connection;
  readonly #settings: Settings;
  readonly #receive: (incoming: Incoming) => void;
  readonly #turns = new Set<SessionTurn>();
  readonly #retry = new RetryDelay();
  readonly #waitingForTurn: (() => void)[] = [];
  #accepting = 0;
  #comingUp: Promise<void> | null = null;
  #isUp = false;
  #isClosed = false;

  constructor(
    source: SessionSource,
    connection: Connection,
    settings: Settings,
    receive: (incoming: Incoming) => void,
  ) {
    this.#source = source;
    this.#connection = connection;
    this.#settings = settings;
    this.#receive = receive;
  }

  get isUp(): boolean {
    return this.#isUp && !this.#isClosed;
  }

  /** Resolves once messages are received, or once it is known that they are not yet. Throws if the configuration must change. */
  async open(): Promise<void> {
    try {
      await this.#probe();
    } catch (error) {
      const { code } = error as ServiceError;
      if (code !== 'SVC_TRANSPORT_UNAVAILABLE') throw error;
    }
    for (let i = 0; i < Math.min(acceptors, this.#settings.maxConcurrentSessions); i++) void this.#acceptTurns();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#retry.cancel();
    for (const resume of this.#waitingForTurn.splice(0)) resume();
    await Promise.all([...this.#turns].map((turn) => turn.giveBack()));
  }

  /**
   * Locks and releases a session with a unique name: the only request that a subscription answers at once. If the subscription denies
   * access, the client may report a locked session instead; a request for any session then reveals the reason.
   */
  async #probe(): Promise<void> {
    const lock = async (accept: (client: ServiceBusClient) => Promise<ServiceBusSessionReceiver>): Promise<void> => {
      await this.#connection.within(async (client) => {
        const receiver = await accept(client);
        await receiver.close();
      });
    };
    try {
      await lock((client) => this.#source.accept(client, newId()));
    } catch (error) {
      if (!isSessionLocked(error)) throw this.#failed(error);
      try {
        await lock((client) => this.#source.acceptNext(client));
      } catch (reason) {
        if (!isNoSession(reason)) throw this.#failed(reason);
      }
    }
    this.#succeeded();
  }

  async #acceptTurns(): Promise<void> {
    while (!this.#isClosed) {
      if (!this.#isUp) await (this.#comingUp ??= this.#comeUp());
      await this.#roomForTurn();
      if (this.#isClosed) return;
      this.#accepting += 1;
      let usedClient: ServiceBusClient | undefined;
      try {
        const receiver = await this.#connection.within((client) => this.#nextSession((usedClient = client)));
        this.#succeeded();
        void this.#giveTurn(new SessionTurn(receiver, this.#connection, this.#settings));
      } catch (error) {
        if (this.#isClosed) return;
        if (isNoSession(error)) this.#succeeded();
        else this.#lost(error, usedClient);
      } finally {
        this.#accepting -= 1;
      }
    }
  }

  /** The next session with messages. A session that arrives after the wait has ended is released. */
  async #nextSession(client: ServiceBusClient): Promise<ServiceBusSessionReceiver> {
    const receiver = await this.#source.acceptNext(client, {
      skipParsingBodyAsJson: true,
      maxAutoLockRenewalDurationInMs: maxRenewalMs,
    });
    if (this.#isClosed) {
      await receiver.close();
      throw unavailable('was no longer waited for');
    }
    return receiver;
  }

  async #giveTurn(turn: SessionTurn): Promise<void> {
    this.#turns.add(turn);
    await turn.run(this.#receive);
    this.#turns.delete(turn);
    this.#waitingForTurn.shift()?.();
  }

  async #roomForTurn(): Promise<void> {
    while (!this.#isClosed && this.#turns.size + this.#accepting >= this.#settings.maxConcurrentSessions) {
      await new Promise<void>((resolve) => this.#waitingForTurn.push(resolve));
    }
  }

  async #comeUp(): Promise<void> {
    while (!this.#isClosed && !this.#isUp) {
      await this.#retry.wait();
      if (this.#isClosed) break;
      await this.#probe().catch(() => {});
    }
    this.#comingUp = null;
  }

  /** Waiting for a session failed. Unless the Service Bus answered, all other waiting links end too. */
  #lost(error: unknown, client: ServiceBusClient | undefined): void {
    this.#failed(error);
    if (client === undefined || isAnswer(error)) return;
    this.#connection.giveUp(client, unavailable('is unreachable: the connection was lost', error));
  }

  #succeeded(): void {
    this.#isUp = true;
    this.#connection.answers = true;
    this.#retry.reset();
  }

  #failed(error: unknown): ServiceError {
    this.#isUp = false;
    if (error instanceof ServiceError) return error;
    this.#connection.answers = isAnswer(error);
    return (
      configurationError(error, this.#source) ??
      unavailable(`does not deliver messages of the ${this.#source.name}`, error)
    );
  }
}
