import type { Uuid } from '../json/index.js';

/** Into how many segments the streams of a reaction are divided: so many hosts can share it. Part of the stored data. */
export const reactionSegments = 8;

/** The segment of a stream. Databases compute it too: the last hexadecimal digit of the id, modulo the number of segments. */
export function reactionSegmentOf(streamId: Uuid): number {
  return Number.parseInt(streamId.at(-1)!, 16) % reactionSegments;
}
