import { detached } from '../../background/index.js';
import { ServiceError, ValidationError } from '../../errors/index.js';
import type { Uuid } from '../../json/index.js';
import { observeId } from '../../messages/index.js';
import {
  comparePlaces,
  type EventLog,
  type LogPlace,
  type PerspectiveStorage,
  type StreamReach,
} from '../../storage/index.js';

/** How long callers wait by default, and at most. */
export const waitBounds = { usualSeconds: 5, mostSeconds: 30 } as const;

/** How long to wait for an event to be processed. */
export interface WaitOptions {
  /** Default: 5,000; at most 30,000. */
  readonly timeoutMs?: number;
  /** Cancels the wait. */
  readonly signal?: AbortSignal;
}

/** The event that must be processed before a model is read. */
export interface EventWait extends WaitOptions {
  readonly eventId: Uuid;
}

/** How often the progress of other hosts is read while a caller waits. */
export const pollMs = 100;

interface Waiting {
  readonly place: LogPlace;
  readonly settle: (error?: unknown) => void;
}

/**
 * Waits until a perspective has processed an event. Progress of this host ends a wait at once. Progress of other hosts is polled, once for all
 * waiting callers, and only while there are any.
 */
export class ProcessedEvents {
  readonly #perspective: string;
  readonly #log: EventLog;
  readonly #storage: PerspectiveStorage;
  readonly #waiting = new Set<Waiting>();
  #poll: NodeJS.Timeout | undefined;
  #isLooking = false;
  /** Whether there was progress since the progress is being read. */
  #looksAgain = false;
  #stopped = false;

  constructor(perspective: string, log: EventLog, storage: PerspectiveStorage) {
    this.#perspective = perspective;
    this.#log = log;
    this.#storage = storage;
  }

  /**
   * Resolves once the event is processed. Throws a `ValidationError` if it does not exist or belongs to another tenant, and an
   * `EventNotProcessedError` after the timeout.
   */
  async wait(
    { eventId, timeoutMs = waitBounds.usualSeconds * 1_000, signal }: EventWait,
    reach: StreamReach,
  ): Promise<void> {
    signal?.throwIfAborted();
    const place = await this.#log.findPlace(eventId);
    const isForeign = place !== null && reach.tenant !== null && place.tenant !== reach.tenant;
    if (isForeign) await reach.recordForeign('event', eventId);
    if (place === null || isForeign) throw new ValidationError([unknownEvent]);
    observeId(eventId);
    if (comparePlaces(await this.#reached(), place) >= 0) return;
    const limitMs = Math.min(Math.max(0, timeoutMs), waitBounds.mostSeconds * 1_000);
    await this.#until(place, limitMs, signal);
  }

  /** Called when this host has processed all events up to a place. */
  tell(reached: LogPlace): void {
    for (const waiting of this.#waiting) if (comparePlaces(reached, waiting.place) >= 0) waiting.settle();
  }

  /** Called when this host has processed events of a segment: all segments together may have processed one that a caller waits for. */
  lookNow(): void {
    if (this.#isLooking) {
      this.#looksAgain = true;
      return;
    }
    clearTimeout(this.#poll);
    this.#poll = undefined;
    this.#lookLater(0);
  }

  /** Ends every wait, and rejects new ones. */
  stop(): void {
    this.#stopped = true;
    for (const waiting of this.#waiting) waiting.settle(this.#notProcessed('before the service stopped'));
  }

  #until(place: LogPlace, limitMs: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        place,
        settle: (error) => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', abort);
          this.#waiting.delete(waiting);
          if (error === undefined) resolve();
          else reject(error);
        },
      };
      const abort = (): void => waiting.settle(signal!.reason);
      const timer = setTimeout(() => waiting.settle(this.#notProcessed(`within ${limitMs / 1_000} s`)), limitMs);
      this.#waiting.add(waiting);
      signal?.addEventListener('abort', abort, { once: true });
      // Each of these may have happened since the progress was read; the next poll sees newer progress.
      if (signal?.aborted === true) abort();
      if (this.#stopped) waiting.settle(this.#notProcessed('before the service stopped'));
      this.#lookLater(0);
    });
  }

  #lookLater(ms: number): void {
    if (this.#poll !== undefined || this.#waiting.size === 0) return;
    // For all waiting callers, whichever came first.
    this.#poll = detached(() => setTimeout(() => void this.#look(), ms));
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    this.#looksAgain = false;
    try {
      this.tell(await this.#reached());
    } catch {
      // The database is unavailable: callers wait until their timeout.
    }
    this.#isLooking = false;
    this.#poll = undefined;
    this.#lookLater(this.#looksAgain ? 0 : pollMs);
  }

  #notProcessed(when: string): EventNotProcessedError {
    return new EventNotProcessedError(this.#perspective, when);
  }

  async #reached(): Promise<LogPlace> {
    const { sequence } = await this.#storage.readProgress(this.#perspective);
    return await this.#log.placeAt(sequence);
  }
}

/** A perspective did not process an event before the caller's timeout. It will later; the caller can repeat the request. */
export class EventNotProcessedError extends ServiceError {
  constructor(perspective: string, when: string) {
    super(
      'SVC_EVENT_NOT_TAKEN',
      `${perspective} did not process the event ${when}. Repeat the request, or wait longer (at most ${waitBounds.mostSeconds} s).`,
    );
  }
}

const unknownEvent = { pointer: '/afterEvent', detail: 'must be the id of a stored event' };
