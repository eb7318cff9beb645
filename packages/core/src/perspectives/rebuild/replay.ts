import { comparePlaces, type LogPlace, type Progress, type TablesRef } from '../../storage/index.js';
import type { SystemEventEmitter } from '../../system-events/index.js';
import type { Census } from './census.js';
import type { ModelEvents, PerspectiveParts, Stops } from '../apply/model-events.js';
import type { Clock, Pace } from './pace.js';
import type { NamedPerspective } from '../perspective.js';
import type { RebuildReport } from './rebuild-report.js';
import { catchUp } from './catch-up.js';

export interface RebuildParts extends PerspectiveParts {
  readonly emitter: SystemEventEmitter;
  /** Claims the rebuild of a perspective for this host; false: another host rebuilds it. */
  readonly mayTouch: (perspective: string) => Promise<boolean>;
  /** Default: the clock of this machine. */
  readonly clock?: Clock;
}

export interface ReplaySettings {
  readonly pace: Pace;
  readonly signal: AbortSignal | undefined;
  readonly report: RebuildReport;
}

/** The tables to fill, and when they are complete. */
export interface ReplayTarget {
  readonly into: TablesRef;
  readonly isShared: boolean;
  /** Where streams were stopped in the tables that these replace. */
  readonly earlier?: Stops;
  /** Called when they have caught up. False: replay again. */
  readonly isDone: (progress: Progress) => Promise<boolean>;
}

/** Replays all events into tables, from their progress on. */
export class Replay {
  readonly parts: RebuildParts;
  readonly #census: Census;
  readonly #settings: ReplaySettings;

  constructor(census: Census, settings: ReplaySettings, parts: RebuildParts) {
    this.parts = parts;
    this.#census = census;
    this.#settings = settings;
  }

  /** Whether one progress has reached another. */
  async hasPassed(one: Progress, other: Progress): Promise<boolean> {
    const { log } = this.parts;
    return comparePlaces(await log.placeAt(one.sequence), await log.placeAt(other.sequence)) >= 0;
  }

  async run(
    named: NamedPerspective,
    finder: ModelEvents,
    { into, isShared, earlier, isDone }: ReplayTarget,
  ): Promise<void> {
    const { log, mayTouch } = this.parts;
    const { pace, signal, report } = this.#settings;
    const { head } = this.#census;
    let events = 0;
    let counted = -1;
    const tell = (place: LogPlace): Promise<void> => report.progress(this.#census.streamsUpTo(place), events);
    for (;;) {
      signal?.throwIfAborted();
      const progress = await catchUp(
        named,
        {
          into,
          isShared,
          signal,
          ...(earlier !== undefined && { earlier }),
          mostAtOnce: pace.mostAtOnce,
          onStart: async ({ sequence }) => {
            await mayTouch(named.name);
            const place = await log.placeAt(sequence);
            // Events appended during the rebuild are not in its totals.
            const upTo = comparePlaces(place, head) < 0 ? place : head;
            if (sequence !== counted) events = await log.countEvents(finder.types, upTo, signal);
            counted = sequence;
            await tell(place);
          },
          onBatch: async ({ records, upTo }, applied) => {
            await mayTouch(named.name);
            for (const record of records) if (comparePlaces(record, head) <= 0) events++;
            counted = upTo.sequence;
            await tell(upTo);
            await pace.took(applied, signal);
          },
        },
        this.parts,
      );
      signal?.throwIfAborted();
      if (await isDone(progress)) return;
    }
  }
}
