import { comparePlaces, type LogPlace, type Progress, type TablesRef } from '../../storage/index.js';
import type { SystemEventEmitter } from '../../system-events/index.js';
import type { Census } from './census.js';
import type { ModelEvents, PerspectiveParts, Stops } from '../apply/model-events.js';
import type { Clock, Pace } from './pace.js';
import type { NamedPerspective } from '../perspective.js';
import type { RebuildReport } from './rebuild-report.js';
import { takeAll } from './take-all.js';

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

/** Which tables are filled, and when they are as they should be. */
export interface ReplayTarget {
  readonly into: TablesRef;
  readonly isShared: boolean;
  /** Where streams were stopped in the tables that these replace. */
  readonly earlier?: Stops;
  /** Asked once they have everything that could be read. */
  readonly isDone: (progress: Progress) => Promise<boolean>;
}

/** Takes everything that has happened into some tables, from where they are. */
export class Replay {
  readonly parts: RebuildParts;
  readonly #census: Census;
  readonly #settings: ReplaySettings;

  constructor(census: Census, settings: ReplaySettings, parts: RebuildParts) {
    this.parts = parts;
    this.#census = census;
    this.#settings = settings;
  }

  /** Whether one has come as far as another. */
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
      const progress = await takeAll(
        named,
        {
          into,
          isShared,
          signal,
          ...(earlier !== undefined && { earlier }),
          mostAtOnce: pace.mostAtOnce,
          begins: async ({ sequence }) => {
            await mayTouch(named.name);
            const place = await log.placeAt(sequence);
            // What happens meanwhile was not among what there was to replay.
            const upTo = comparePlaces(place, head) < 0 ? place : head;
            if (sequence !== counted) events = await log.countEvents(finder.types, upTo, signal);
            counted = sequence;
            await tell(place);
          },
          took: async ({ records, upTo }, applied) => {
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
