import type { Delivery, EventContext, Sender } from 'rhea';
import type { Consumer, MessageQueue, QueuedMessage } from './message-queue.js';
import { answerSettlement, creditOf, drained } from './rhea-internals.js';
import { errors, long, type AmqpError } from './wire.js';

/** A link that takes messages from a queue and settles them, with or without a session. */
export class ConsumerLink implements Consumer {
  readonly sessionId: string | null;
  readonly #sender: Sender;
  readonly #queue: MessageQueue;
  readonly #deliveries = new Map<Delivery, { readonly queued: QueuedMessage; readonly token: Buffer }>();
  /** Settlements are answered once it resolves. */
  readonly #beforeSettling: () => Promise<void>;

  constructor(sender: Sender, queue: MessageQueue, sessionId: string | null, beforeSettling: () => Promise<void>) {
    this.#sender = sender;
    this.#queue = queue;
    this.sessionId = sessionId;
    this.#beforeSettling = beforeSettling;
    sender.on('accepted', (context: EventContext) =>
      this.#settle(context, (queued, token) => queue.complete(queued, token)),
    );
    sender.on('released', (context: EventContext) =>
      this.#settle(context, (queued, token) => queue.abandon(queued, token)),
    );
    sender.on('modified', (context: EventContext) =>
      this.#settle(context, (queued, token) => queue.abandon(queued, token)),
    );
    sender.on('rejected', (context: EventContext) => {
      const info = (context.delivery!.remote_state as { error?: { info?: Record<string, string> } }).error?.info ?? {};
      this.#settle(context, (queued, token) =>
        queue.deadLetter(queued, token, info['DeadLetterReason'], info['DeadLetterErrorDescription']),
      );
    });
    sender.on('sender_flow', () => queue.pump());
    sender.on('sender_draining', () => {
      // What was handed out in this turn has to be on its way before the rest of the credit is given back.
      setImmediate(() => drained(sender));
    });
    sender.on('sender_close', () => queue.remove(this));
    queue.add(this);
  }

  credit(): number {
    return creditOf(this.#sender);
  }

  deliver(queued: QueuedMessage): void {
    const copy = {
      ...queued.message,
      delivery_count: queued.deliveryCount,
      message_annotations: {
        ...(queued.message['message_annotations'] as object | undefined),
        'x-opt-sequence-number': long(queued.sequence),
        'x-opt-enqueued-time': new Date(queued.enqueuedAt),
        'x-opt-locked-until': new Date(queued.lockedUntil),
      },
    };
    const token = queued.lockToken!;
    this.#deliveries.set(this.#sender.send(copy, token), { queued, token });
  }

  lost(error: AmqpError): void {
    this.#sender.close(error);
  }

  /** The socket is gone without a word. */
  disconnected(): void {
    this.#queue.remove(this);
  }

  #settle({ delivery }: EventContext, settle: (queued: QueuedMessage, token: Buffer) => AmqpError | null): void {
    const found = this.#deliveries.get(delivery!);
    this.#deliveries.delete(delivery!);
    void this.#beforeSettling().then(() =>
      answerSettlement(delivery!, found === undefined ? errors.messageLockLost : settle(found.queued, found.token)),
    );
  }
}
