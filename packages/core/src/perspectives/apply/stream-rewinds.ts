import type { Uuid } from '../../json/index.js';
import type { Event } from '../../messages/index.js';
import {
  comparePlaces,
  type BegunRewind,
  type LogPlace,
  type OpenRewind,
  type OutgoingRecord,
  type RewindChanges,
} from '../../storage/index.js';
import { hasBegun, withBegun, withCompleted, withReplayed } from './begun-rewinds.js';
import {
  completed,
  rewindOf,
  started,
  streamCompleted,
  streamsOf,
  streamStarted,
  type PlannedRewinds,
} from './rewind-events.js';

/** The rewind events to commit, with the rewinds that are open after them. */
export interface RewindReport {
  readonly outgoing: readonly OutgoingRecord[];
  readonly rewinds: RewindChanges;
}

/** Whether a perspective, or every other segment of the one that asks, has processed all events up to a place. */
export type HasPassed = (perspectiveName: string, place: LogPlace) => Promise<boolean>;

export interface StreamRewindsParts {
  /** The lane of the hosts that share the work. */
  readonly lane: string;
  /** All perspectives. */
  readonly perspectiveNames: readonly string[];
  /** Prepares an event for the outbox. */
  readonly outgoingOf: (event: Event) => OutgoingRecord;
}

/**
 * Emits rewind events per stream: one when the rewind starts, two for each perspective, and one when the last perspective has passed it. Starts
 * are committed before models change, ends together with them; after a crash another host resumes the rewind (decision 0084).
 */
export class StreamRewinds {
  readonly #parts: StreamRewindsParts;
  readonly #open: Map<Uuid, OpenRewind>;

  constructor(open: readonly OpenRewind[], parts: StreamRewindsParts) {
    this.#parts = parts;
    this.#open = new Map(open.map((rewind) => [rewind.streamId, rewind]));
  }

  /** Whether there are rewinds that some perspective has not passed. */
  get hasOpen(): boolean {
    return this.#open.size > 0;
  }

  /** Reports that a perspective starts its rewinds. `others`: the rewinds of the perspectives that process the same events. */
  begin(own: PlannedRewinds, others: readonly PlannedRewinds[], upTo: LogPlace, startedAt: Date): RewindReport {
    const events: Event[] = [];
    const open = new Map(this.#open);
    for (const streamId of streamsOf(own.rewinds)) {
      const known = open.get(streamId);
      if (known === undefined) {
        events.push(streamStarted(streamId, [own, ...others], startedAt));
        open.set(streamId, {
          streamId,
          startedAt: startedAt.getTime(),
          upTo: placeOf(upTo),
          perspectiveNames: [],
          eventsReplayed: 0,
        });
      } else if (comparePlaces(known.upTo, upTo) < 0) {
        open.set(streamId, { ...known, upTo: placeOf(upTo) });
      }
      // Another segment has reported the start.
      if (own.isSegment && hasBegun(open.get(streamId)!, own.perspectiveName)) continue;
      const rewind = rewindOf(streamId, own);
      open.set(streamId, withBegun(open.get(streamId)!, rewind, startedAt));
      events.push(started(rewind, startedAt));
    }
    return this.#report(events, open);
  }

  /** Reports that a perspective has processed a batch, and which rewinds that completes. `at`: its place after the batch. */
  async complete(own: PlannedRewinds, at: LogPlace, hasPassed: HasPassed): Promise<RewindReport> {
    const events: Event[] = [];
    const open = new Map(this.#open);
    const completedAt = new Date();
    for (const streamId of streamsOf(own.rewinds)) {
      const rewind = withReplayed(open.get(streamId)!, rewindOf(streamId, own));
      const completes = ({ perspectiveName }: BegunRewind): boolean =>
        perspectiveName === own.perspectiveName && !own.isSegment;
      open.set(streamId, completeSome(rewind, completes, completedAt, events));
    }
    const passed: HasPassed = async (name, place) => {
      if (name === own.perspectiveName && comparePlaces(at, place) < 0) return false;
      return (name === own.perspectiveName && !own.isSegment) || (await hasPassed(name, place));
    };
    events.push(...(await this.#completeDone(open, passed, completedAt)));
    return this.#report(events, open);
  }

  /** Completes the rewinds that every perspective has passed without a commit of the worker, as after a rebuild; null: there are none. */
  async overdue(hasPassed: HasPassed): Promise<RewindReport | null> {
    const open = new Map(this.#open);
    const events = await this.#completeDone(open, hasPassed, new Date());
    const report = this.#report(events, open);
    return report.rewinds.known.length === 0 ? null : report;
  }

  /** Called when a report was committed. */
  committed({ rewinds }: RewindReport): void {
    for (const { streamId } of rewinds.known) this.#open.delete(streamId);
    for (const rewind of rewinds.open) this.#open.set(rewind.streamId, rewind);
  }

  /** Completes the rewinds of perspectives that have passed their place, and those of streams that all perspectives have passed. */
  async #completeDone(open: Map<Uuid, OpenRewind>, hasPassed: HasPassed, completedAt: Date): Promise<Event[]> {
    const events: Event[] = [];
    for (const [streamId, rewind] of open) {
      // Checked once: a perspective that passes the place after that must be completed before its stream.
      const passed = new Set<string>();
      for (const name of this.#parts.perspectiveNames) if (await hasPassed(name, rewind.upTo)) passed.add(name);
      const completes = ({ perspectiveName }: BegunRewind): boolean => passed.has(perspectiveName);
      const next = completeSome(rewind, completes, completedAt, events);
      open.set(streamId, next);
      if (passed.size < this.#parts.perspectiveNames.length) continue;
      events.push(streamCompleted(next, completedAt));
      open.delete(streamId);
    }
    return events;
  }

  #report(events: readonly Event[], open: ReadonlyMap<Uuid, OpenRewind>): RewindReport {
    const { lane, outgoingOf } = this.#parts;
    return {
      outgoing: events.map(outgoingOf),
      rewinds: {
        lane,
        known: [...this.#open.values()].filter((rewind) => open.get(rewind.streamId) !== rewind),
        open: [...open.values()].filter((rewind) => this.#open.get(rewind.streamId) !== rewind),
      },
    };
  }
}

/** Completes the rewinds of some perspectives, and adds their events. The rewind is the same object if there are none. */
function completeSome(
  rewind: OpenRewind,
  completes: (one: BegunRewind) => boolean,
  completedAt: Date,
  events: Event[],
): OpenRewind {
  return (rewind.begun ?? []).filter(completes).reduce((open, one) => {
    events.push(completed(rewind.streamId, one, completedAt));
    return withCompleted(open, one);
  }, rewind);
}

/** The place of a record, without the record. */
function placeOf({ sequence, transaction }: LogPlace): LogPlace {
  return transaction === undefined ? { sequence } : { sequence, transaction };
}
