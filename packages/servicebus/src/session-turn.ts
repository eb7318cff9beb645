import type { ServiceBusReceivedMessage, ServiceBusSessionReceiver } from '@azure/service-bus';
import { recordedText } from '@svc/core/transport';
import type { Connection } from './connection.js';
import { unavailable } from './failures.js';
import { Interruption } from './interruption.js';
import { limited } from './limited.js';
import type { Settings } from './options.js';

/** A received message that is not yet settled. */
export interface Incoming {
  readonly received: ServiceBusReceivedMessage;
  readonly turn: SessionTurn;
  /** Allows the next message to be fetched. */
  readonly done: () => void;
}

/** The outcome of a message: completed, or dead-lettered with a cause. */
export interface Outcome {
  readonly incoming: Incoming;
  readonly cause: Error | null;
}

const maxCloseMs = 2_000;
/** The limit of the Service Bus. */
const maxCauseLength = 4_096;

/**
 * The turn of one stream: its session is locked for this host, and its messages arrive in order, until there are none for a while or the
 * turn has lasted long enough. The client renews the lock. A turn is lost with its connection or lock.
 */
export class SessionTurn {
  readonly #receiver: ServiceBusSessionReceiver;
  readonly #connection: Connection;
  readonly #settings: Settings;
  readonly #over: Promise<void>;
  readonly #settling = new Interruption();
  #end: () => void = () => {};
  #idle: ReturnType<typeof setTimeout> | undefined;
  #unsettled = 0;
  #isEnding = false;
  #isLost = false;

  constructor(receiver: ServiceBusSessionReceiver, connection: Connection, settings: Settings) {
    this.#receiver = receiver;
    this.#connection = connection;
    this.#settings = settings;
    this.#over = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** Messages of a lost turn cannot be settled. All unsettled messages are delivered again. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Receives the messages of the stream. Resolves once the turn is over and the session is released. */
  async run(take: (incoming: Incoming) => void): Promise<void> {
    const turnLimit = setTimeout(() => this.end(), this.#settings.sessionTurnMs);
    try {
      this.#subscribe(take);
      this.#waitForMore();
    } catch {
      // The session was lost as soon as it was locked.
      this.#lose();
    }
    await this.#over;
    clearTimeout(turnLimit);
    clearTimeout(this.#idle);
    await limited(this.#receiver.close(), maxCloseMs).catch(() => {});
  }

  /** Receives no more messages. The turn ends once the received ones are settled. */
  end(): void {
    this.#isEnding = true;
    if (this.#unsettled === 0) this.#end();
  }

  /** Releases all unsettled messages. */
  async giveBack(): Promise<void> {
    this.#lose();
    await this.#over;
  }

  /**
   * Settles messages in order. Equal outcomes are settled together; different ones one after the other, because the client would encode
   * two settlements of one turn of the event loop as if the second were like the first.
   */
  async settle(outcomes: readonly Outcome[]): Promise<void> {
    try {
      for (let i = 0; i < outcomes.length && !this.#isLost;) {
        const { incoming, cause } = outcomes[i]!;
        if (cause !== null) {
          await this.#answered(() => this.#deadLetter(incoming, cause));
          i += 1;
        } else {
          const rest = outcomes.slice(i);
          const firstFailed = rest.findIndex((outcome) => outcome.cause !== null);
          const run = firstFailed === -1 ? rest : rest.slice(0, firstFailed);
          await this.#answered(() =>
            Promise.all(run.map(({ incoming: { received } }) => this.#receiver.completeMessage(received))),
          );
          i += run.length;
        }
      }
    } catch {
      // Whether it is settled is unknown. If it is delivered again, its id identifies it.
      this.#lose();
    }
    this.#unsettled -= outcomes.length;
    for (const { incoming } of outcomes) incoming.done();
    if (this.#unsettled > 0) return;
    if (this.#isEnding) this.#end();
    else this.#waitForMore();
  }

  #subscribe(take: (incoming: Incoming) => void): void {
    this.#receiver.subscribe(
      {
        processMessage: (received) =>
          new Promise((resolve) => {
            // A message that arrives too late is released with the session; its delivery count does not increase.
            if (this.#isEnding) return;
            this.#unsettled += 1;
            clearTimeout(this.#idle);
            take({ received, turn: this, done: resolve });
          }),
        processError: () => {
          this.#lose();
          return Promise.resolve();
        },
      },
      { autoCompleteMessages: false, maxConcurrentCalls: this.#settings.prefetch },
    );
  }

  /** Waits for the answer while there can be one: for a lost session the client would wait a minute. */
  async #answered(settle: () => Promise<unknown>): Promise<void> {
    await this.#connection.within(() => this.#settling.unlessEnded(settle()));
  }

  #deadLetter({ received }: Incoming, cause: Error): Promise<void> {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
    return this.#receiver.deadLetterMessage(received, {
      deadLetterReason: code.slice(0, maxCauseLength),
      deadLetterErrorDescription: recordedText(cause.message, maxCauseLength),
    });
  }

  #waitForMore(): void {
    this.#idle = setTimeout(() => this.end(), this.#settings.sessionIdleMs);
  }

  #lose(): void {
    this.#isLost = true;
    this.#isEnding = true;
    this.#settling.end(unavailable('revoked a session'));
    this.#end();
  }
}
