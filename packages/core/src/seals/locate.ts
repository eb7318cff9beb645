import type { Uuid } from '../json/index.js';
import { TamperKind } from './finding.js';
import { countEntries, firstDifference, hasSameBody, idOfEntry, idsOfEntries } from './seal-entries.js';

/** The first event in which a part of the log differs from what was sealed, by its index in that part. */
export interface Located {
  readonly kind: TamperKind;
  readonly index: number;
  readonly eventId: Uuid;
}

/**
 * Finds the first event that differs. `isStored` says whether the log has an event anywhere. Null: nothing that the entries contain differs.
 */
export async function locate(
  sealed: Uint8Array,
  found: Uint8Array,
  isStored: (id: Uuid) => Promise<boolean>,
): Promise<Located | null> {
  const index = firstDifference(sealed, found);
  if (index < 0) return null;
  if (index >= countEntries(sealed)) {
    return { kind: TamperKind.InsertedEvent, index, eventId: idOfEntry(found, index) };
  }
  const expected = idOfEntry(sealed, index);
  if (index >= countEntries(found)) return { kind: await removedOrMoved(expected, isStored), index, eventId: expected };
  const actual = idOfEntry(found, index);
  if (actual === expected) {
    const kind = hasSameBody(sealed, found, index) ? TamperKind.ChangedMetadata : TamperKind.ChangedBody;
    return { kind, index, eventId: expected };
  }
  const isExpectedLater = idsOfEntries(found).has(expected);
  if (idsOfEntries(sealed).has(actual)) {
    const kind = isExpectedLater ? TamperKind.SwappedOrder : await removedOrMoved(expected, isStored);
    return { kind, index, eventId: expected };
  }
  if (isExpectedLater) return { kind: TamperKind.InsertedEvent, index, eventId: actual };
  return { kind: await removedOrMoved(expected, isStored), index, eventId: expected };
}

async function removedOrMoved(id: Uuid, isStored: (id: Uuid) => Promise<boolean>): Promise<TamperKind> {
  return (await isStored(id)) ? TamperKind.SwappedOrder : TamperKind.RemovedEvent;
}
