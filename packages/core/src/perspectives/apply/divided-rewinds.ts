/** The rewinds of divided perspectives, which their segments report together. */
import type { DividedRewind, OpenRewind } from '../../storage/index.js';
import type { PerspectiveRewind } from './rewind-events.js';

/** Adds the rewind of a perspective that one of its segments starts. Null: another segment has started it. */
export function begunDivided(open: OpenRewind, rewind: PerspectiveRewind, startedAt: Date): OpenRewind | null {
  const { perspectiveName, triggeringEventId } = rewind;
  const { divided = [] } = open;
  if (divided.some((one) => one.perspectiveName === perspectiveName)) return null;
  const begun = {
    perspectiveName,
    triggeringEventId,
    startedAt: startedAt.getTime(),
    finalEventId: null,
    eventsReplayed: 0,
  };
  return { ...open, divided: [...divided, begun] };
}

/** Adds the events that a segment has replayed. */
export function replayedDivided(open: OpenRewind, rewind: PerspectiveRewind): OpenRewind {
  const { perspectiveName, finalEventId, eventsReplayed } = rewind;
  const added = (one: DividedRewind): DividedRewind => ({
    ...one,
    finalEventId: one.finalEventId === null || one.finalEventId < finalEventId ? finalEventId : one.finalEventId,
    eventsReplayed: one.eventsReplayed + eventsReplayed,
  });
  const divided = open.divided!.map((one) => (one.perspectiveName === perspectiveName ? added(one) : one));
  return { ...open, divided };
}

/** Removes the rewind of a perspective that all of its segments have passed. */
export function endedDivided(open: OpenRewind, ended: DividedRewind): OpenRewind {
  const divided = open.divided!.filter((one) => one !== ended);
  return ended.finalEventId === null ? { ...open, divided } : { ...withPerspective(open, ended), divided };
}

/** Adds a perspective that has replayed its models. */
export function withPerspective(
  open: OpenRewind,
  { perspectiveName, eventsReplayed }: Pick<PerspectiveRewind, 'perspectiveName' | 'eventsReplayed'>,
): OpenRewind {
  return {
    ...open,
    perspectiveNames: [...new Set([...open.perspectiveNames, perspectiveName])],
    eventsReplayed: open.eventsReplayed + eventsReplayed,
  };
}
