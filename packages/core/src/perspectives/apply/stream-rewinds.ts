import type { Uuid } from '../../json/index.js';
import type { Event } from '../../messages/index.js';
import {
  comparePlaces,
  type LogPlace,
  type OpenRewind,
  type OutgoingRecord,
  type RewindChanges,
} from '../../storage/index.js';
import {
  PerspectiveRewindCompleted,
  PerspectiveRewindStarted,
  StreamRewindCompleted,
  StreamRewindStarted,
} from '../../system-events/index.js';
import type { ModelRewind } from './rewind.js';

/** The rewinds of one perspective in a batch. */
export interface PlannedRewinds {
  readonly perspectiveName: string;
  readonly rewinds: readonly ModelRewind[];
}

/** The rewind events to commit, with the rewinds that are open after them. */
export interface RewindReport {
  readonly outgoing: readonly OutgoingRecord[];
  readonly rewinds: RewindChanges;
}

/** Whether a perspective has processed all events up to a place. */
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

  /** Reports that a perspective starts its rewinds. `planned`: the rewinds of all perspectives that share the batch. */
  begin(perspectiveName: string, planned: readonly PlannedRewinds[], upTo: LogPlace, startedAt: Date): RewindReport {
    const own = planned.find((one) => one.perspectiveName === perspectiveName)!;
    const events: Event[] = [];
    const open = new Map(this.#open);
    for (const streamId of streamsOf(own.rewinds)) {
      const known = open.get(streamId);
      if (known === undefined) {
        events.push(streamStarted(streamId, planned, startedAt));
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
      events.push(started(rewindOf(streamId, own), startedAt));
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
      events.push(completed(rewind, startedAt, completedAt));
      const known = open.get(streamId)!;
      open.set(streamId, {
        ...known,
        perspectiveNames: [...new Set([...known.perspectiveNames, own.perspectiveName])],
        eventsReplayed: known.eventsReplayed + rewind.eventsReplayed,
      });
    }
    const done = await this.#doneOf(open.values(), (name, place) =>
      name === own.perspectiveName ? Promise.resolve(comparePlaces(at, place) >= 0) : hasPassed(name, place),
    );
    for (const rewind of done) {
      events.push(streamCompleted(rewind, completedAt));
      open.delete(rewind.streamId);
    }
    return this.#report(events, open);
  }

  /** Completes the rewinds that every perspective has passed without a commit of the worker, as after a rebuild; null: there are none. */
  async overdue(hasPassed: HasPassed): Promise<RewindReport | null> {
    const done = await this.#doneOf(this.#open.values(), hasPassed);
    if (done.length === 0) return null;
    const completedAt = new Date();
    const open = new Map(this.#open);
    for (const { streamId } of done) open.delete(streamId);
    return this.#report(
      done.map((rewind) => streamCompleted(rewind, completedAt)),
      open,
    );
  }

  /** Called when a report was committed. */
  committed({ rewinds }: RewindReport): void {
    for (const { streamId } of rewinds.known) this.#open.delete(streamId);
    for (const rewind of rewinds.open) this.#open.set(rewind.streamId, rewind);
  }

  async #doneOf(rewinds: Iterable<OpenRewind>, hasPassed: HasPassed): Promise<OpenRewind[]> {
    const done: OpenRewind[] = [];
    for (const rewind of rewinds) {
      let isDone = true;
      for (const name of this.#parts.perspectiveNames) isDone &&= await hasPassed(name, rewind.upTo);
      if (isDone) done.push(rewind);
    }
    return done;
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

/** The rewind of one perspective because of the late events of one stream. */
interface PerspectiveRewind {
  readonly streamId: Uuid;
  readonly perspectiveName: string;
  readonly triggeringEventId: Uuid;
  readonly replayFromSnapshotEventId: Uuid | null;
  readonly finalEventId: Uuid;
  readonly eventsReplayed: number;
}

function streamsOf(rewinds: readonly ModelRewind[]): ReadonlySet<Uuid> {
  return new Set(rewinds.flatMap(({ late }) => late.map(({ streamId }) => streamId)));
}

function rewindOf(streamId: Uuid, { perspectiveName, rewinds }: PlannedRewinds): PerspectiveRewind {
  const own = rewinds.filter(({ late }) => late.some((event) => event.streamId === streamId));
  const late = own.flatMap((rewind) =>
    rewind.late.filter((event) => event.streamId === streamId).map(({ envelope }) => ({ id: envelope.id, rewind })),
  );
  const first = late.reduce((a, b) => (a.id < b.id ? a : b));
  const ids = own.flatMap(({ events }) => events.map(({ envelope }) => envelope.id));
  return {
    streamId,
    perspectiveName,
    triggeringEventId: first.id,
    replayFromSnapshotEventId: first.rewind.snapshot?.eventId ?? null,
    finalEventId: ids.reduce((a, b) => (a > b ? a : b)),
    eventsReplayed: ids.length,
  };
}

function streamStarted(streamId: Uuid, planned: readonly PlannedRewinds[], startedAt: Date): StreamRewindStarted {
  const rewinds = planned.filter((one) => streamsOf(one.rewinds).has(streamId)).map((one) => rewindOf(streamId, one));
  const triggers = rewinds.map(({ triggeringEventId }) => triggeringEventId);
  return Object.assign(new StreamRewindStarted(), {
    streamId,
    perspectiveNames: rewinds.map(({ perspectiveName }) => perspectiveName),
    triggerEventId: triggers.reduce((a, b) => (a < b ? a : b)),
    startedAt,
  });
}

function streamCompleted(rewind: OpenRewind, completedAt: Date): StreamRewindCompleted {
  const { streamId, perspectiveNames, eventsReplayed, startedAt } = rewind;
  return Object.assign(new StreamRewindCompleted(), {
    streamId,
    perspectiveNames: [...perspectiveNames],
    totalEventsReplayed: eventsReplayed,
    startedAt: new Date(startedAt),
    completedAt,
  });
}

function started(rewind: PerspectiveRewind, startedAt: Date): PerspectiveRewindStarted {
  const { streamId, perspectiveName, triggeringEventId, replayFromSnapshotEventId } = rewind;
  return Object.assign(new PerspectiveRewindStarted(), {
    streamId,
    perspectiveName,
    triggeringEventId,
    replayFromSnapshotEventId,
    hasSnapshot: replayFromSnapshotEventId !== null,
    startedAt,
  });
}

function completed(rewind: PerspectiveRewind, startedAt: Date, completedAt: Date): PerspectiveRewindCompleted {
  const { streamId, perspectiveName, triggeringEventId, finalEventId, eventsReplayed } = rewind;
  return Object.assign(new PerspectiveRewindCompleted(), {
    streamId,
    perspectiveName,
    triggeringEventId,
    finalEventId,
    eventsReplayed,
    startedAt,
    completedAt,
  });
}
