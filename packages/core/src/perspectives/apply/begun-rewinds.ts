/** The rewinds of perspectives that have started and are not completed, in the open rewind of their stream. */
import type { BegunRewind, OpenRewind } from '../../storage/index.js';
import type { PerspectiveRewind } from './rewind-events.js';

/** Adds the rewind of a perspective that starts. One that was interrupted starts again; what its segments have replayed still counts. */
export function withBegun(open: OpenRewind, rewind: PerspectiveRewind, startedAt: Date): OpenRewind {
  const { perspectiveName, triggeringEventId, finalEventId } = rewind;
  const { begun = [] } = open;
  const interrupted = begun.find((one) => one.perspectiveName === perspectiveName);
  const started = {
    perspectiveName,
    triggeringEventId,
    startedAt: startedAt.getTime(),
    finalEventId,
    eventsReplayed: interrupted?.eventsReplayed ?? 0,
  };
  return { ...open, begun: [...begun.filter((one) => one !== interrupted), started] };
}

/** Whether a perspective, or one of its segments, has started its rewind. */
export function hasBegun({ begun = [] }: OpenRewind, perspectiveName: string): boolean {
  return begun.some((one) => one.perspectiveName === perspectiveName);
}

/** Adds the events that a perspective, or one of its segments, has replayed. */
export function withReplayed(open: OpenRewind, rewind: PerspectiveRewind): OpenRewind {
  const { perspectiveName, finalEventId, eventsReplayed } = rewind;
  const added = (one: BegunRewind): BegunRewind => ({
    ...one,
    finalEventId: one.finalEventId < finalEventId ? finalEventId : one.finalEventId,
    eventsReplayed: one.eventsReplayed + eventsReplayed,
  });
  return { ...open, begun: open.begun!.map((one) => (one.perspectiveName === perspectiveName ? added(one) : one)) };
}

/** Counts the rewind of a perspective as completed. */
export function withCompleted(open: OpenRewind, completed: BegunRewind): OpenRewind {
  return {
    ...open,
    perspectiveNames: [...new Set([...open.perspectiveNames, completed.perspectiveName])],
    eventsReplayed: open.eventsReplayed + completed.eventsReplayed,
    begun: open.begun!.filter((one) => one !== completed),
  };
}
