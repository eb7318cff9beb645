import { BackgroundWorker } from '../../background/index.js';
import { FollowedPerspective } from './followed-perspective.js';
import type { NamedPerspective } from '../perspective.js';
import { PerspectiveRound } from './perspective-round.js';
import { nameOfWork, type PerspectiveWork } from './perspective-work.js';
import type { RoundParts } from './round-parts.js';

export type PerspectiveWorkerParts = Omit<RoundParts, 'wasWoken'>;

/**
 * Processes events for the perspectives of this host. Perspectives at the same place share the pages of the log. One that lags reads its
 * own at the same time. A failure of one perspective is retried and does not stop the others.
 */
export function perspectiveWorker(
  perspectives: readonly NamedPerspective[],
  parts: PerspectiveWorkerParts,
): BackgroundWorker {
  const byName = new Map(perspectives.map((named) => [named.name, named]));
  const follow = (work: PerspectiveWork): FollowedPerspective =>
    new FollowedPerspective(byName.get(work.perspective)!, work, parts, (place) => parts.reached(work, place));
  let followed: ReadonlyMap<string, FollowedPerspective> = new Map();
  return new BackgroundWorker(async (wasWoken) => {
    const { own, others } = await parts.share.take();
    followed = new Map(own.map((work) => [nameOfWork(work), followed.get(nameOfWork(work)) ?? follow(work)]));
    if (own.length === 0) return false;
    const round = await PerspectiveRound.begin([...followed.values()], () => others.map(follow), [...byName.keys()], {
      ...parts,
      wasWoken,
    });
    return await round.run();
  }, parts.report);
}
