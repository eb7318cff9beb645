import type { Uuid } from '../json/index.js';
import { TamperKind } from './finding.js';
import { countEntries, firstDifference, hasSameBody, idOfEntry } from './seal-entries.js';

/** The first event in which a part of the log differs from what was sealed, by its index in that part. */
export interface Located {
  readonly kind: TamperKind;
  readonly index: number;
  readonly eventId: Uuid;
}

/** What is known of the whole log, for an event that a part lacks or has in addition. */
export interface KnownEvents {
  /** Whether the log has an event anywhere. */
  isStored(id: Uuid): Promise<boolean>;
  /** Whether any seal has an event. */
  isSealed(id: Uuid): Promise<boolean>;
}

/** Finds the first event that differs. Null: nothing that the entries contain differs. */
export async function locate(sealed: Uint8Array, found: Uint8Array, known: KnownEvents): Promise<Located | null> {
  const index = firstDifference(sealed, found);
  if (index < 0) return null;
  const actual = index < countEntries(found) ? idOfEntry(found, index) : null;
  if (index >= countEntries(sealed)) return await addedEvent(actual!, index, known);
  const expected = idOfEntry(sealed, index);
  if (actual === expected) {
    const kind = hasSameBody(sealed, found, index) ? TamperKind.ChangedMetadata : TamperKind.ChangedBody;
    return { kind, index, eventId: expected };
  }
  if (!(await known.isStored(expected))) return { kind: TamperKind.RemovedEvent, index, eventId: expected };
  // The event is stored elsewhere: moved, or behind events that were inserted.
  if (actual === null || (await known.isSealed(actual)))
    return { kind: TamperKind.SwappedOrder, index, eventId: expected };
  return { kind: TamperKind.InsertedEvent, index, eventId: actual };
}

async function addedEvent(id: Uuid, index: number, known: KnownEvents): Promise<Located> {
  const kind = (await known.isSealed(id)) ? TamperKind.SwappedOrder : TamperKind.InsertedEvent;
  return { kind, index, eventId: id };
}
