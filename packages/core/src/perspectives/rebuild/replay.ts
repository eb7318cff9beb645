import {
  comparePlaces,
  PerspectiveMovedError,
  type LogPlace,
  type ModelTables,
  type Progress,
  type ReplayPage,
  type TablesRef,
} from '../../storage/index.js';
import type { Census } from './census.js';
import type { ModelEvents, PerspectiveParts, Stops } from '../apply/model-events.js';
import { systemClock, type Clock, type Pace } from './pace.js';
import type { NamedPerspective } from '../perspective.js';
import type { FailureParts } from '../apply/perspective-failed-error.js';
import type { RebuildReport } from './rebuild-report.js';
import { catchUp } from './catch-up.js';
import { fillFreeSegments, type FillLanes } from './shared-fill.js';

/** The most hosts that fill the tables of a rebuild: each of them reads the whole log. */
const mostFillers = 8;
/** How often a host looks whether the others have filled their segments. */
const fillPollMs = 200;

export interface RebuildParts extends PerspectiveParts, FailureParts {
  /** Claims the rebuild of a perspective for this host; false: another host rebuilds it. */
  readonly mayTouch: (perspective: string) => Promise<boolean>;
  /** Other hosts that can take part; null: there are none. */
  readonly helpers: () => RebuildHelpers | null;
  /** Default: the clock of this machine. */
  readonly clock?: Clock;
}

/** Hosts that fill new tables together with this one. */
export interface RebuildHelpers {
  readonly count: number;
  readonly lanes: FillLanes;
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

  /** Whether one progress has reached another, with all of its segments. */
  async hasPassed(one: Progress, other: Progress): Promise<boolean> {
    const { log } = this.parts;
    const place = await log.placeAt(one.sequence);
    for (const { sequence } of other.segments ?? [other]) {
      if (comparePlaces(place, await log.placeAt(sequence)) < 0) return false;
    }
    return true;
  }

  /** Whether all events that were stored when the rebuild started are processed. */
  async hasPassedHead({ sequence }: Progress): Promise<boolean> {
    return comparePlaces(await this.parts.log.placeAt(sequence), this.#census.head) >= 0;
  }

  /**
   * Divides new tables and fills them up to the last event together with other hosts, and makes them whole again. Tables that a limit slows down, or
   * that no other host could help to fill, stay whole.
   */
  async fillTogether(named: NamedPerspective, into: ModelTables): Promise<void> {
    const { log, storage, helpers, mayTouch } = this.parts;
    const { signal, report } = this.#settings;
    const { head } = this.#census;
    const others = helpers();
    if (storage.segments === undefined || others === null) return;
    const progress = await storage.readProgress(into);
    if (progress.segments === undefined && !(await this.#divide(into, progress, others.count))) return;
    let furthest = await log.placeAt(progress.sequence);
    let events = 0;
    const onBatch = async ({ records, upTo }: ReplayPage): Promise<void> => {
      await mayTouch(named.name);
      if (comparePlaces(upTo, furthest) <= 0) return;
      events += records.filter((record) => comparePlaces(record, furthest) > 0).length;
      furthest = upTo;
      await report.progress(this.#census.streamsUpTo(upTo), events);
    };
    for (;;) {
      const { segments } = await storage.readProgress(into);
      if (segments === undefined) return;
      if (segments.every(({ sequence }) => sequence === head.sequence) && (await storage.segments.unite(into))) return;
      const shared = { tables: into, segments: segments.length, head: head.sequence };
      await fillFreeSegments(named, shared, others.lanes, { signal, onBatch }, this.parts);
      await mayTouch(named.name);
      await systemClock.wait(fillPollMs, signal);
    }
  }

  /** Divides new tables for some other hosts and this one. False: they stay whole. */
  async #divide(into: ModelTables, progress: Progress, others: number): Promise<boolean> {
    const isLimited = this.#settings.pace.mostAtOnce < Infinity;
    if (others === 0 || isLimited || (await this.hasPassedHead(progress))) return false;
    try {
      return await this.parts.storage.segments!.divide(into, progress, Math.min(others + 1, mostFillers));
    } catch (error) {
      // Another rebuild of the perspective was faster, and this one takes part in it.
      if (error instanceof PerspectiveMovedError) return true;
      throw error;
    }
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
          onStart: async ({ sequence, segments }) => {
            await mayTouch(named.name);
            const place = await log.placeAt(sequence);
            // A count reads the log: while hosts fill segments, events are counted once, at the end.
            if (segments !== undefined && comparePlaces(place, head) < 0) return await tell(place);
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
