import { comparePlaces, PerspectiveMovedError, type Progress } from '../storage/index.js';
import type { SystemEventEmitter } from '../system-events/index.js';
import { advance } from './advance.js';
import type { Census } from './census.js';
import { perspectiveFailed } from './failures.js';
import { ModelEvents, type PerspectiveParts } from './model-events.js';
import { nextTurn } from './next-turn.js';
import type { Clock, Pace } from './pace.js';
import type { NamedPerspective } from './perspective.js';
import { batchSize, takeRecords } from './perspective-worker.js';
import type { RebuildReport } from './rebuild-report.js';

export interface RebuildParts extends PerspectiveParts {
  readonly emitter: SystemEventEmitter;
  /** Says that this host rebuilds a perspective, or is about to; false: another one does. */
  readonly mayTouch: (perspective: string) => Promise<boolean>;
  /** Default: the one of this machine. */
  readonly clock?: Clock;
}

export interface ReplaySettings {
  readonly pace: Pace;
  readonly signal: AbortSignal | undefined;
  readonly report: RebuildReport;
}

/** Takes everything that has happened into one table, from where that is. */
export class Replay {
  readonly census: Census;
  readonly parts: RebuildParts;
  readonly #settings: ReplaySettings;

  constructor(census: Census, settings: ReplaySettings, parts: RebuildParts) {
    this.census = census;
    this.parts = parts;
    this.#settings = settings;
  }

  /** Whether everything is done that was there when the rebuild began. */
  async hasCensus({ sequence }: Progress): Promise<boolean> {
    return comparePlaces(await this.parts.log.placeAt(sequence), this.census.head) >= 0;
  }

  /** Whether one has come as far as another. */
  async hasPassed(one: Progress, other: Progress): Promise<boolean> {
    const { log } = this.parts;
    return comparePlaces(await log.placeAt(one.sequence), await log.placeAt(other.sequence)) >= 0;
  }

  /** `named` has the table that is filled; `name` is what the perspective is called. Ends once `isDone`. */
  async run(named: NamedPerspective, name: string, isDone: (progress: Progress) => Promise<boolean>): Promise<void> {
    const { log, storage, emitter } = this.parts;
    const { pace, signal, report } = this.#settings;
    const finder = new ModelEvents(named, this.parts);
    const most = Math.min(batchSize, pace.mostAtOnce);
    for (;;) {
      await nextTurn();
      const from = await storage.readProgress(named.name);
      const { streams, events } = this.census.upTo(await log.placeAt(from.sequence));
      await report.progress(streams, events);
      signal?.throwIfAborted();
      await this.parts.mayTouch(name);
      if (await isDone(from)) return;
      const records = await takeRecords(log.readRecords(from.sequence), undefined, most);
      if (records.length === 0) continue;
      try {
        const { failures, applied } = await advance(named, from, records, finder, this.parts);
        for (const failure of failures) await emitter.emit(perspectiveFailed(name, failure));
        await pace.took(applied, signal);
      } catch (error) {
        if (!(error instanceof PerspectiveMovedError)) throw error;
      }
    }
  }
}
