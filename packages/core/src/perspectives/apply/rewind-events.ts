/** The rewind events, from what is known of the rewinds. */
import type { Uuid } from '../../json/index.js';
import type { BegunRewind, OpenRewind } from '../../storage/index.js';
import {
  PerspectiveRewindCompleted,
  PerspectiveRewindStarted,
  StreamRewindCompleted,
  StreamRewindStarted,
} from '../../system-events/index.js';
import type { ModelRewind } from './rewind.js';

/** The rewinds of one perspective, or of one of its segments, in a batch. */
export interface PlannedRewinds {
  readonly perspectiveName: string;
  readonly isSegment: boolean;
  readonly rewinds: readonly ModelRewind[];
}

/** The rewind of one perspective because of the late events of one stream. */
export interface PerspectiveRewind {
  readonly streamId: Uuid;
  readonly perspectiveName: string;
  readonly triggeringEventId: Uuid;
  readonly replayFromSnapshotEventId: Uuid | null;
  readonly finalEventId: Uuid;
  readonly eventsReplayed: number;
}

export function streamsOf(rewinds: readonly ModelRewind[]): ReadonlySet<Uuid> {
  return new Set(rewinds.flatMap(({ late }) => late.map(({ streamId }) => streamId)));
}

export function rewindOf(streamId: Uuid, { perspectiveName, rewinds }: PlannedRewinds): PerspectiveRewind {
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

export function streamStarted(
  streamId: Uuid,
  planned: readonly PlannedRewinds[],
  startedAt: Date,
): StreamRewindStarted {
  const rewinds = planned.filter((one) => streamsOf(one.rewinds).has(streamId)).map((one) => rewindOf(streamId, one));
  const triggers = rewinds.map(({ triggeringEventId }) => triggeringEventId);
  return Object.assign(new StreamRewindStarted(), {
    streamId,
    perspectiveNames: [...new Set(rewinds.map(({ perspectiveName }) => perspectiveName))],
    triggerEventId: triggers.reduce((a, b) => (a < b ? a : b)),
    startedAt,
  });
}

export function streamCompleted(rewind: OpenRewind, completedAt: Date): StreamRewindCompleted {
  const { streamId, perspectiveNames, eventsReplayed, startedAt } = rewind;
  return Object.assign(new StreamRewindCompleted(), {
    streamId,
    perspectiveNames: [...perspectiveNames],
    totalEventsReplayed: eventsReplayed,
    startedAt: new Date(startedAt),
    completedAt,
  });
}

export function started(rewind: PerspectiveRewind, startedAt: Date): PerspectiveRewindStarted {
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

export function completed(streamId: Uuid, rewind: BegunRewind, completedAt: Date): PerspectiveRewindCompleted {
  const { perspectiveName, triggeringEventId, finalEventId, eventsReplayed, startedAt } = rewind;
  return Object.assign(new PerspectiveRewindCompleted(), {
    streamId,
    perspectiveName,
    triggeringEventId,
    finalEventId,
    eventsReplayed,
    startedAt: new Date(startedAt),
    completedAt,
  });
}
