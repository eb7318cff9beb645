/**
 * What a subscription or a dead-letter queue does with its messages: locks, sessions, delivery counts, dead letters. It knows
 * nothing of AMQP links; they are its consumers.
 */
import { randomBytes } from 'node:crypto';
import type { Message } from 'rhea';
import { errors, type AmqpError } from './wire.js';

export interface QueueSettings {
  readonly requiresSession: boolean;
  /** How long a message or a session is locked. */
  readonly lockMs: number;
  /** How often a message is delivered before it becomes a dead letter. */
  readonly maxDeliveryCount: number;
}

export interface QueuedMessage {
  readonly sequence: number;
  readonly enqueuedAt: number;
  readonly message: Message;
  deliveryCount: number;
  /** Who has it at the moment. */
  holder: Consumer | null;
  lockToken: Buffer | null;
  lockedUntil: number;
}

/** Somebody who takes messages: one link. */
export interface Consumer {
  /** The session it has locked; null where the queue has no sessions. */
  readonly sessionId: string | null;
  /** How many messages it asks for. */
  credit(): number;
  deliver(message: QueuedMessage): void;
  /** Its session is not its own any more. */
  lost(error: AmqpError): void;
}

interface SessionWaiter {
  offer(sessionId: string): void;
}

export class MessageQueue {
  readonly path: string;
  readonly settings: QueueSettings;
  readonly deadLetters: MessageQueue | null;
  readonly #messages: QueuedMessage[] = [];
  readonly #consumers = new Set<Consumer>();
  readonly #waiting: SessionWaiter[] = [];
  readonly #sessionLocks = new Map<string, { until: number }>();
  readonly #sessionStates = new Map<string, Buffer>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #sequence = 0;

  constructor(path: string, settings: QueueSettings) {
    this.path = path;
    this.settings = settings;
    this.deadLetters = path.endsWith('$deadletterqueue')
      ? null
      : new MessageQueue(`${path}/$deadletterqueue`, { ...settings, requiresSession: false });
  }

  get messages(): readonly QueuedMessage[] {
    return this.#messages;
  }

  enqueue(message: Message): void {
    this.#messages.push({
      sequence: ++this.#sequence,
      enqueuedAt: Date.now(),
      message,
      deliveryCount: 0,
      holder: null,
      lockToken: null,
      lockedUntil: 0,
    });
    this.pump();
  }

  add(consumer: Consumer): void {
    this.#consumers.add(consumer);
    this.pump();
  }

  /** The consumer is gone: what it had is there for others. In a session that does not count as a delivery. */
  remove(consumer: Consumer): void {
    if (!this.#consumers.delete(consumer)) return;
    if (consumer.sessionId !== null) this.#sessionLocks.delete(consumer.sessionId);
    this.#release(consumer, consumer.sessionId === null);
    this.pump();
  }

  /** Locks a session for a consumer that is about to be added. False when somebody has it. */
  lockSession(sessionId: string): boolean {
    if (this.#sessionLocks.has(sessionId)) return false;
    this.#sessionLocks.set(sessionId, { until: Date.now() + this.settings.lockMs });
    this.#watchSession(sessionId);
    return true;
  }

  sessionLockedUntil(sessionId: string): number {
    return this.#sessionLocks.get(sessionId)?.until ?? 0;
  }

  /** Waits for a session that has messages and that nobody has. Returns what gives up waiting. */
  nextSession(offer: (sessionId: string) => void): () => void {
    const waiter = { offer };
    this.#waiting.push(waiter);
    this.#offerSessions();
    return () => {
      const i = this.#waiting.indexOf(waiter);
      if (i !== -1) this.#waiting.splice(i, 1);
    };
  }

  renewSession(sessionId: string): number | null {
    const lock = this.#sessionLocks.get(sessionId);
    if (lock === undefined) return null;
    lock.until = Date.now() + this.settings.lockMs;
    return lock.until;
  }

  renewMessage(token: Buffer): number | null {
    const found = this.#messages.find(({ lockToken }) => lockToken !== null && lockToken.equals(token));
    if (found === undefined) return null;
    found.lockedUntil = Date.now() + this.settings.lockMs;
    return found.lockedUntil;
  }

  sessionState(sessionId: string): Buffer | null {
    return this.#sessionStates.get(sessionId) ?? null;
  }

  setSessionState(sessionId: string, state: Buffer | null): void {
    if (state === null) this.#sessionStates.delete(sessionId);
    else this.#sessionStates.set(sessionId, state);
  }

  /** Takes the lock of a session away from whoever has it, as when it has expired. */
  expireSession(sessionId: string): void {
    if (!this.#sessionLocks.delete(sessionId)) return;
    for (const consumer of this.#consumers) {
      if (consumer.sessionId !== sessionId) continue;
      this.#consumers.delete(consumer);
      this.#release(consumer, true);
      consumer.lost(errors.sessionLockLost);
    }
    this.pump();
  }

  get lockedSessions(): readonly string[] {
    return [...this.#sessionLocks.keys()];
  }

  /** Settles the delivery that has this lock; a later one of the same message has another. */
  complete(message: QueuedMessage, token: Buffer): AmqpError | null {
    if (message.lockToken !== token) return this.#lockLost();
    this.#take(message);
    this.pump();
    return null;
  }

  abandon(message: QueuedMessage, token: Buffer): AmqpError | null {
    if (message.lockToken !== token) return this.#lockLost();
    this.#unlock(message, true);
    this.pump();
    return null;
  }

  deadLetter(
    message: QueuedMessage,
    token: Buffer,
    reason: string | undefined,
    description: string | undefined,
  ): AmqpError | null {
    if (message.lockToken !== token) return this.#lockLost();
    this.#moveToDeadLetters(message, reason, description);
    this.pump();
    return null;
  }

  /** Hands out what can be handed out. */
  pump(): void {
    for (const consumer of this.#consumers) {
      for (const message of this.#messages) {
        if (consumer.credit() <= 0) break;
        if (isFreeFor(consumer, message)) this.#deliver(message, consumer);
      }
    }
    this.#offerSessions();
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.deadLetters?.close();
  }

  #deliver(message: QueuedMessage, consumer: Consumer): void {
    const token = randomBytes(16);
    message.holder = consumer;
    message.lockToken = token;
    if (consumer.sessionId !== null) {
      message.lockedUntil = this.sessionLockedUntil(consumer.sessionId);
    } else {
      message.lockedUntil = Date.now() + this.settings.lockMs;
      this.#watchMessage(message, token);
    }
    consumer.deliver(message);
  }

  #offerSessions(): void {
    while (this.#waiting.length > 0) {
      const free = this.#messages.find(
        ({ holder, message }) => holder === null && !this.#sessionLocks.has(message.group_id ?? ''),
      );
      if (free === undefined) return;
      const sessionId = free.message.group_id ?? '';
      this.lockSession(sessionId);
      this.#waiting.shift()!.offer(sessionId);
    }
  }

  #release(consumer: Consumer, counts: boolean): void {
    const held = this.#messages.filter(({ holder }) => holder === consumer);
    for (const message of held) this.#unlock(message, counts);
  }

  #unlock(message: QueuedMessage, counts: boolean): void {
    message.holder = null;
    message.lockToken = null;
    if (!counts) return;
    message.deliveryCount += 1;
    if (message.deliveryCount < this.settings.maxDeliveryCount) return;
    const text = `Message could not be consumed after ${this.settings.maxDeliveryCount} delivery attempts.`;
    this.#moveToDeadLetters(message, 'MaxDeliveryCountExceeded', text);
  }

  #moveToDeadLetters(message: QueuedMessage, reason: string | undefined, description: string | undefined): void {
    // The dead letters of dead letters stay where they are.
    if (this.deadLetters === null) return;
    this.#take(message);
    this.deadLetters.enqueue({
      ...message.message,
      application_properties: {
        ...message.message.application_properties,
        ...(reason === undefined ? {} : { DeadLetterReason: reason }),
        ...(description === undefined ? {} : { DeadLetterErrorDescription: description }),
      },
    });
  }

  #take(message: QueuedMessage): void {
    this.#messages.splice(this.#messages.indexOf(message), 1);
  }

  #lockLost(): AmqpError {
    return this.settings.requiresSession ? errors.sessionLockLost : errors.messageLockLost;
  }

  #watchSession(sessionId: string): void {
    const lock = this.#sessionLocks.get(sessionId)!;
    this.#at(lock.until, () => {
      if (this.#sessionLocks.get(sessionId) !== lock) return;
      if (Date.now() < lock.until) this.#watchSession(sessionId);
      else this.expireSession(sessionId);
    });
  }

  #watchMessage(message: QueuedMessage, token: Buffer): void {
    this.#at(message.lockedUntil, () => {
      if (message.lockToken !== token) return;
      if (Date.now() < message.lockedUntil) return this.#watchMessage(message, token);
      this.#unlock(message, true);
      this.pump();
    });
  }

  #at(time: number, then: () => void): void {
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        then();
      },
      Math.max(1, time - Date.now()),
    );
    timer.unref();
    this.#timers.add(timer);
  }
}

function isFreeFor({ sessionId }: Consumer, { holder, message }: QueuedMessage): boolean {
  return holder === null && (sessionId === null || message.group_id === sessionId);
}
