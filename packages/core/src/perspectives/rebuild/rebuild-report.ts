import { recordedError } from '../../errors/index.js';
import { durationOf } from '../../json/index.js';
import { newId } from '../../messages/index.js';
import {
  PerspectiveRebuildCompleted,
  PerspectiveRebuildFailed,
  PerspectiveRebuildProgress,
  PerspectiveRebuildStarted,
  type RebuildMode,
  type SystemEventEmitter,
} from '../../system-events/index.js';
import { batchSize } from './catch-up.js';

/** Progress is reported at least this often. */
const longestSilence = 1_000;
const mostStreams = 1_000;

/** The progress of a rebuild. */
export interface RebuildProgress {
  readonly processedStreams: number;
  readonly totalStreams: number;
  readonly eventsReplayed: number;
}

/** Emits the system events of a rebuild and calls `onProgress`. All events of one rebuild have the same `streamId`. */
export class RebuildReport {
  readonly #emitter: SystemEventEmitter;
  readonly #onProgress: (progress: RebuildProgress) => void;
  readonly #common: { streamId: ReturnType<typeof newId>; perspectiveName: string; mode: RebuildMode };
  readonly #startedAt = new Date();
  // The system clock may be set during a rebuild.
  readonly #started = performance.now();
  /** Of the event that reports the start: if the response to it is lost, it is emitted again, and stored once. */
  readonly #startId = newId();
  #isStarted = false;
  #totalStreams = 0;
  #processed = 0;
  #replayed = 0;
  #told = { at: this.#started, streams: 0 };

  constructor(
    emitter: SystemEventEmitter,
    perspectiveName: string,
    mode: RebuildMode,
    onProgress: (progress: RebuildProgress) => void = () => {},
  ) {
    this.#emitter = emitter;
    this.#onProgress = onProgress;
    this.#common = { streamId: newId(), perspectiveName, mode };
  }

  async started(totalStreams: number): Promise<void> {
    this.#totalStreams = totalStreams;
    this.#onProgress(this.#far);
    const startedAt = this.#startedAt;
    await this.#emitter.emit(
      Object.assign(new PerspectiveRebuildStarted(), { ...this.#common, totalStreams, startedAt }),
      { id: this.#startId },
    );
    this.#isStarted = true;
  }

  /** Emits progress after `longestSilence`, or earlier if another batch could exceed the most streams between two events. */
  async progress(streams: number, events: number): Promise<void> {
    this.#processed = streams;
    this.#replayed = events;
    this.#onProgress(this.#far);
    const isQuiet = performance.now() - this.#told.at < longestSilence;
    if (isQuiet && streams - this.#told.streams + batchSize <= mostStreams) return;
    await this.#tellProgress();
  }

  async completed(): Promise<void> {
    await this.#tellProgress();
    await this.#emitter.emit(
      Object.assign(new PerspectiveRebuildCompleted(), {
        ...this.#common,
        streamsProcessed: this.#processed,
        eventsReplayed: this.#replayed,
        duration: this.#duration,
      }),
    );
  }

  /** A rebuild that fails before or while its start is reported, such as while streams are counted, is reported as started, too. */
  async failed(error: unknown): Promise<void> {
    if (!this.#isStarted) await this.started(this.#totalStreams);
    const { errorName, errorMessage } = recordedError(error);
    await this.#emitter.emit(
      Object.assign(new PerspectiveRebuildFailed(), {
        ...this.#common,
        error: `${errorName}: ${errorMessage}`,
        streamsProcessedBeforeFailure: this.#processed,
        duration: this.#duration,
      }),
    );
  }

  get result(): { streamsProcessed: number; eventsReplayed: number } {
    return { streamsProcessed: this.#processed, eventsReplayed: this.#replayed };
  }

  get #far(): RebuildProgress {
    return { processedStreams: this.#processed, totalStreams: this.#totalStreams, eventsReplayed: this.#replayed };
  }

  get #duration(): ReturnType<typeof durationOf> {
    return durationOf(performance.now() - this.#started);
  }

  async #tellProgress(): Promise<void> {
    this.#told = { at: performance.now(), streams: this.#processed };
    await this.#emitter.emit(
      Object.assign(new PerspectiveRebuildProgress(), {
        ...this.#common,
        ...this.#far,
        startedAt: this.#startedAt,
      }),
    );
  }
}
