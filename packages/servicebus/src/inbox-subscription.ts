import {
  ConcurrentCommands,
  inboxOf,
  type ReceiveCommand,
  type ReceivedMessage,
  type Subscription,
} from '@svc/core/transport';
import { fromServiceBus } from './messages.js';
import type { Settings } from './options.js';
import type { SessionListener } from './session-listener.js';
import type { Incoming } from './session-turn.js';

/** Passes on the commands of a host's inbox concurrently. Each is a separate session and settled separately. */
export class InboxSubscription implements Subscription {
  readonly #running: ConcurrentCommands;
  readonly #settling = new Set<Promise<void>>();
  /** The destination of the queue. The one in the message is ignored. */
  readonly #destination: string;
  #listener: SessionListener | null = null;
  #isClosed = false;

  constructor(receive: ReceiveCommand, { commandsAtOnce, hostName }: Settings) {
    this.#running = new ConcurrentCommands(receive, commandsAtOnce);
    this.#destination = inboxOf(hostName);
  }

  async open(listener: SessionListener): Promise<void> {
    this.#listener = listener;
    try {
      await listener.open();
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  get isUp(): boolean {
    return !this.#isClosed && this.#listener?.isUp === true;
  }

  take(incoming: Incoming): void {
    // It is released with its session.
    if (this.#isClosed) return;
    const settling = this.#process(incoming).finally(() => this.#settling.delete(settling));
    this.#settling.add(settling);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running.close();
    await Promise.all(this.#settling);
    await this.#listener?.close();
  }

  async #process(incoming: Incoming): Promise<void> {
    const { turn } = incoming;
    const message = this.#read(incoming);
    const outcome = message instanceof Error ? message : await this.#running.take(message, () => !turn.isLost);
    if (outcome === false) return;
    await turn.settle([{ incoming, cause: outcome === true ? null : outcome }]);
    // Only copies of the same message can follow it in its session.
    turn.end();
  }

  #read({ received }: Incoming): ReceivedMessage | Error {
    try {
      return fromServiceBus(received, this.#destination);
    } catch (error) {
      return error as Error;
    }
  }
}
