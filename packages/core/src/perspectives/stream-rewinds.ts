import type { Uuid } from '../json/index.js';
import type { Event } from '../messages/index.js';
import {
  PerspectiveRewindCompleted,
  PerspectiveRewindStarted,
  StreamRewindCompleted,
  StreamRewindStarted,
  type SystemEventEmitter,
} from '../system-events/index.js';
import type { ModelRewind } from './rewind.js';

/**
 * What a batch had to make anew, told stream by stream: once that it begins, then each perspective, then once that it is done. It
 * is told when it is done, by the host that did it: another one that was slower has nothing to tell.
 */
export class StreamRewinds {
  readonly #streams = new Map<Uuid, PerspectiveRewind[]>();

  add(perspectiveName: string, rewinds: readonly ModelRewind[], startedAt: Date, completedAt: Date): void {
    const streams = new Set(rewinds.flatMap(({ late }) => late.map(({ streamId }) => streamId)));
    for (const streamId of streams) {
      const known = this.#streams.get(streamId) ?? [];
      this.#streams.set(streamId, [...known, ofStream(streamId, perspectiveName, rewinds, startedAt, completedAt)]);
    }
  }

  async tell(emitter: SystemEventEmitter): Promise<void> {
    for (const [streamId, rewinds] of this.#streams) {
      for (const event of eventsOf(streamId, rewinds)) await emitter.emit(event);
    }
  }
}

/** What one perspective did about the late events of one stream. */
interface PerspectiveRewind {
  readonly perspectiveName: string;
  readonly triggeringEventId: Uuid;
  readonly replayFromSnapshotEventId: Uuid | null;
  readonly finalEventId: Uuid;
  readonly eventsReplayed: number;
  readonly startedAt: Date;
  readonly completedAt: Date;
}

function ofStream(
  streamId: Uuid,
  perspectiveName: string,
  rewinds: readonly ModelRewind[],
  startedAt: Date,
  completedAt: Date,
): PerspectiveRewind {
  const own = rewinds.filter(({ late }) => late.some((event) => event.streamId === streamId));
  const late = own.flatMap((rewind) =>
    rewind.late.filter((event) => event.streamId === streamId).map(({ envelope }) => ({ id: envelope.id, rewind })),
  );
  const first = late.reduce((a, b) => (a.id < b.id ? a : b));
  const ids = own.flatMap(({ events }) => events.map(({ envelope }) => envelope.id));
  return {
    perspectiveName,
    triggeringEventId: first.id,
    replayFromSnapshotEventId: first.rewind.snapshot?.eventId ?? null,
    finalEventId: ids.reduce((a, b) => (a > b ? a : b)),
    eventsReplayed: ids.length,
    startedAt,
    completedAt,
  };
}

function eventsOf(streamId: Uuid, rewinds: readonly PerspectiveRewind[]): Event[] {
  const perspectiveNames = rewinds.map(({ perspectiveName }) => perspectiveName);
  const first = rewinds[0]!;
  const triggerEventId = rewinds.map(({ triggeringEventId }) => triggeringEventId).reduce((a, b) => (a < b ? a : b));
  const { startedAt } = first;
  return [
    Object.assign(new StreamRewindStarted(), { streamId, perspectiveNames, triggerEventId, startedAt }),
    ...rewinds.flatMap((rewind) => [started(streamId, rewind), completed(streamId, rewind)]),
    Object.assign(new StreamRewindCompleted(), {
      streamId,
      perspectiveNames,
      totalEventsReplayed: rewinds.reduce((sum, { eventsReplayed }) => sum + eventsReplayed, 0),
      startedAt,
      completedAt: rewinds.at(-1)!.completedAt,
    }),
  ];
}

function started(streamId: Uuid, rewind: PerspectiveRewind): PerspectiveRewindStarted {
  const { perspectiveName, triggeringEventId, replayFromSnapshotEventId, startedAt } = rewind;
  return Object.assign(new PerspectiveRewindStarted(), {
    streamId,
    perspectiveName,
    triggeringEventId,
    replayFromSnapshotEventId,
    hasSnapshot: replayFromSnapshotEventId !== null,
    startedAt,
  });
}

function completed(streamId: Uuid, rewind: PerspectiveRewind): PerspectiveRewindCompleted {
  const { perspectiveName, triggeringEventId, finalEventId, eventsReplayed, startedAt, completedAt } = rewind;
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
