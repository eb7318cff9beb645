import type { ServiceBusReceivedMessage, ServiceBusSessionReceiver } from '@azure/service-bus';
import type { Connection } from './connection.js';
import { unavailable } from './failures.js';
import { Interruption } from './interruption.js';
import { limited } from './limited.js';
import type { Settings } from './options.js';

/** A message that has come and is not settled yet. */
export interface Incoming {
  readonly received: ServiceBusReceivedMessage;
  readonly turn: SessionTurn;
  /** Lets the next one be fetched. */
  readonly done: () => void;
}

/** What becomes of a message: done with, or put aside for a cause. */
export interface Outcome {
  readonly incoming: Incoming;
  readonly cause: Error | null;
}

const longestCloseMs = 2_000;
/** The Service Bus takes no longer ones. */
const longestCause = 4_096;

/**
 * The turn of one stream: its session is locked for this host, and its messages come in order, until there are none for a while or the
 * turn has been long enough. The client renews the lock meanwhile. A turn is lost when the connection or the lock is.
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

  /** Nothing of it can be settled any more; everything that is not comes again. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Takes the messages of the stream; resolves once the turn is over and the session is free for others. */
  async run(take: (incoming: Incoming) => void): Promise<void> {
    const longest = setTimeout(() => this.end(), this.#settings.sessionTurnMs);
    try {
      this.#subscribe(take);
      this.#waitForMore();
    } catch {
      // The session was lost as soon as it was there.
      this.#lose();
    }
    await this.#over;
    clearTimeout(longest);
    clearTimeout(this.#idle);
    await limited(this.#receiver.close(), longestCloseMs).catch(() => {});
  }

  /** Takes no more messages. The turn is over when those it has are settled. */
  end(): void {
    this.#isEnding = true;
    if (this.#unsettled === 0) this.#end();
  }

  /** Gives everything back that is not settled. */
  async giveBack(): Promise<void> {
    this.#lose();
    await this.#over;
  }

  /**
   * Settles messages in their order. Equal outcomes go together; different ones wait for each other, because the client would write
   * two that are settled in one turn of the event loop as if the second were like the first.
   */
  async settle(outcomes: readonly Outcome[]): Promise<void> {
    try {
      for (let i = 0; i < outcomes.length && !this.#isLost;) {
        const { incoming, cause } = outcomes[i]!;
        if (cause !== null) {
          await this.#answered(() => this.#putAside(incoming, cause));
          i += 1;
        } else {
          const rest = outcomes.slice(i);
          const refused = rest.findIndex((outcome) => outcome.cause !== null);
          const run = refused === -1 ? rest : rest.slice(0, refused);
          await this.#answered(() =>
            Promise.all(run.map(({ incoming: { received } }) => this.#receiver.completeMessage(received))),
          );
          i += run.length;
        }
      }
    } catch {
      // Whether it is settled is not known: it may come again, and is known by its id then.
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
            // What comes too late goes back with the session, and counts as not delivered.
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

  /** Waits for the answer, as long as there can be one: the client would wait a minute for that of a lost session. */
  async #answered(settle: () => Promise<unknown>): Promise<void> {
    await this.#connection.within(() => this.#settling.unlessEnded(settle()));
  }

  #putAside({ received }: Incoming, cause: Error): Promise<void> {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
    return this.#receiver.deadLetterMessage(received, {
      deadLetterReason: code.slice(0, longestCause),
      deadLetterErrorDescription: cause.message.slice(0, longestCause),
    });
  }

  #waitForMore(): void {
    this.#idle = setTimeout(() => this.end(), this.#settings.sessionIdleMs);
  }

  #lose(): void {
    this.#isLost = true;
    this.#isEnding = true;
    this.#settling.end(unavailable('has taken a session away'));
    this.#end();
  }
}
