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

/** How long callers may wait. */
export const waitBounds = { usualSeconds: 5, mostSeconds: 30 } as const;

/** How long to wait for an event to be processed. */
export interface WaitOptions {
  /** Default: 5,000; at most 30,000. */
  readonly timeoutMs?: number;
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
}

/** Until which event a caller wants to wait before something is read. */
export interface EventWait extends WaitOptions {
  readonly eventId: Uuid;
}

/** How often others' progress is looked at, while somebody waits. */
export const pollMs = 100;

interface Waiting {
  readonly place: LogPlace;
  readonly settle: (error?: unknown) => void;
}

/**
 * Lets callers wait until a perspective has taken an event. What this host takes is told at once; what other hosts take is looked
 * for now and then, once for all who wait, and only while somebody does.
 */
export class TakenEvents {
  readonly #perspective: string;
  readonly #log: EventLog;
  readonly #storage: PerspectiveStorage;
  readonly #waiting = new Set<Waiting>();
  #poll: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(perspective: string, log: EventLog, storage: PerspectiveStorage) {
    this.#perspective = perspective;
    this.#log = log;
    this.#storage = storage;
  }

  /**
   * Resolves once the event is processed; throws a `ValidationError` when there is none, or one of another tenant, and an `EventNotTakenError`
   * when it takes too long.
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

  /** This host has taken everything up to a place. */
  tell(reached: LogPlace): void {
    for (const waiting of this.#waiting) if (comparePlaces(reached, waiting.place) >= 0) waiting.settle();
  }

  /** Nobody waits any longer, nor from now on. */
  stop(): void {
    this.#stopped = true;
    for (const waiting of this.#waiting) waiting.settle(this.#notTaken('before the service stopped'));
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
      const timer = setTimeout(() => waiting.settle(this.#notTaken(`within ${limitMs / 1_000} s`)), limitMs);
      this.#waiting.add(waiting);
      signal?.addEventListener('abort', abort, { once: true });
      // All of that may have happened since it was looked at; what was taken since is seen by the next look.
      if (signal?.aborted === true) abort();
      if (this.#stopped) waiting.settle(this.#notTaken('before the service stopped'));
      this.#lookLater(0);
    });
  }

  #lookLater(ms: number): void {
    if (this.#poll !== undefined || this.#waiting.size === 0) return;
    this.#poll = setTimeout(() => void this.#look(), ms);
  }

  async #look(): Promise<void> {
    try {
      this.tell(await this.#reached());
    } catch {
      // The database is away for a moment: whoever waits does so until their time is over.
    }
    this.#poll = undefined;
    this.#lookLater(pollMs);
  }

  #notTaken(when: string): EventNotTakenError {
    return new EventNotTakenError(this.#perspective, when);
  }

  async #reached(): Promise<LogPlace> {
    const { sequence } = await this.#storage.readProgress(this.#perspective);
    return await this.#log.placeAt(sequence);
  }
}

/** A perspective has not taken an event in the time that a caller would wait. It will; the caller may ask again. */
export class EventNotTakenError extends ServiceError {
  constructor(perspective: string, when: string) {
    super(
      'SVC_EVENT_NOT_TAKEN',
      `${perspective} did not process the event ${when}. Repeat the request, or wait longer (at most ${waitBounds.mostSeconds} s).`,
    );
  }
}

const unknownEvent = { pointer: '/afterEvent', detail: 'must be the id of a stored event' };
