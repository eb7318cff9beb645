import { comparePlaces, type LogPlace } from '../../storage/index.js';
import type { FollowedPerspective } from './followed-perspective.js';

/** A group waits for one that is at most so many events of the log behind it, so that they read the next events together. */
export const nearby = 4_000;

type Placed = Pick<FollowedPerspective, 'sequence'>;

/** Perspectives that are at the same place, and read the log together. */
export interface PlaceGroup<T extends Placed = FollowedPerspective> {
  readonly members: readonly T[];
  readonly place: LogPlace;
}

/** Groups in the order of the log, which their sequence numbers alone do not tell. */
export async function groupsByPlace<T extends Placed>(
  perspectives: readonly T[],
  placeAt: (sequence: number) => Promise<LogPlace>,
): Promise<readonly PlaceGroup<T>[]> {
  const bySequence = new Map<number, T[]>();
  for (const one of perspectives) bySequence.set(one.sequence, [...(bySequence.get(one.sequence) ?? []), one]);
  const groups = [...bySequence].map(async ([sequence, members]) => {
    // A group that is alone is compared with no other one.
    return { members, place: bySequence.size === 1 ? { sequence } : await placeAt(sequence) };
  });
  return (await Promise.all(groups)).toSorted((a, b) => comparePlaces(a.place, b.place));
}

/** The first group, from a place on, that is just behind another one, and that one. */
export function nearPair<T extends Placed>(
  groups: readonly PlaceGroup<T>[],
  from: LogPlace | null,
): readonly [behind: PlaceGroup<T>, ahead: PlaceGroup<T>] | null {
  for (const [i, behind] of groups.entries()) {
    const ahead = groups[i + 1];
    if (ahead === undefined || (from !== null && comparePlaces(behind.place, from) < 0)) continue;
    if (ahead.place.sequence - behind.place.sequence <= nearby) return [behind, ahead];
  }
  return null;
}
