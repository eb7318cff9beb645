import type { Uuid } from '../json/index.js';
import type { CommitRecord } from './storage.js';

/**
 * The received messages of a record that have to be remembered as such. One that is an event of the record is known by that: events have the
 * ids of the messages they came in, and are never forgotten.
 */
export function messagesToRemember({ events, received }: CommitRecord): readonly Uuid[] {
  if (received.length === 0 || events.length === 0) return received;
  const kept = new Set(events.map(({ id }) => id));
  return received.filter((id) => !kept.has(id));
}
