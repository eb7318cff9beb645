import type { Uuid } from '../../json/index.js';
import type { Event } from '../../messages/index.js';
import {
  comparePlaces,
  type LogPlace,
  type OpenRewind,
  type OutgoingRecord,
  type RewindChanges,
} from '../../storage/index.js';
import { begunDivided, endedDivided, replayedDivided, withPerspective } from './divided-rewinds.js';
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
      const rewind = rewindOf(streamId, own);
      const divided = own.isSegment ? begunDivided(open.get(streamId)!, rewind, startedAt) : undefined;
      // Another segment has reported the start.
      if (divided === null) continue;
      if (divided !== undefined) open.set(streamId, divided);
      events.push(started(rewind, startedAt));
    }
    return this.#report(events, open);
  }

  /** Reports that a perspective has processed a batch, and which rewinds that completes. `at`: its place after the batch. */
  async complete(own: PlannedRewinds, at: LogPlace, startedAt: Date, hasPassed: HasPassed): Promise<RewindReport> {
    const events: Event[] = [];
    const open = new Map(this.#open);
    const completedAt = new Date();
    for (const streamId of streamsOf(own.rewinds)) {
      const rewind = rewindOf(streamId, own);
      const known = open.get(streamId)!;
      if (own.isSegment) open.set(streamId, replayedDivided(known, rewind));
      else {
        events.push(completed(rewind, startedAt, completedAt));
        open.set(streamId, withPerspective(known, rewind));
      }
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

  /** Completes the rewinds that all segments of a perspective have passed, and removes those that all perspectives have passed. */
  async #completeDone(open: Map<Uuid, OpenRewind>, hasPassed: HasPassed, completedAt: Date): Promise<Event[]> {
    const events: Event[] = [];
    for (let rewind of open.values()) {
      const { streamId, upTo } = rewind;
      // Checked once: a perspective that passes the place after that must be completed before its stream.
      const passed = new Set<string>();
      for (const name of this.#parts.perspectiveNames) if (await hasPassed(name, upTo)) passed.add(name);
      for (const one of (rewind.divided ?? []).filter(({ perspectiveName }) => passed.has(perspectiveName))) {
        // Without replayed events, a rebuild has replaced the models that were about to be replayed.
        const { finalEventId } = one;
        if (finalEventId !== null) {
          events.push(completed({ ...one, streamId, finalEventId }, new Date(one.startedAt), completedAt));
        }
        rewind = endedDivided(rewind, one);
        open.set(streamId, rewind);
      }
      if (passed.size < this.#parts.perspectiveNames.length) continue;
      events.push(streamCompleted(rewind, completedAt));
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

/** The place of a record, without the record. */
function placeOf({ sequence, transaction }: LogPlace): LogPlace {
  return transaction === undefined ? { sequence } : { sequence, transaction };
}
