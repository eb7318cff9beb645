import { scopeOfText, scopeText } from '../../messages/index.js';
import { LateRecord } from '../database/late-record.js';
import { plainMessage } from '../database/plain-message.js';
import type { EventRecord, MessageRecord, PendingRecord, StoredRecord } from '../event-record.js';

/** An event in its place in the log. */
export interface LogEntry {
  readonly event: EventRecord;
  readonly position: number;
  readonly sequence: number;
}

/** A copy that the caller cannot change. A `LateRecord` cannot change either, and writes itself when it is read. */
export function copiedEvent(event: PendingRecord): EventRecord {
  return event instanceof LateRecord ? event : { ...copiedMessage(event), streamId: event.streamId };
}

export function copiedMessage(message: MessageRecord): MessageRecord {
  if (message instanceof LateRecord) return message;
  const { scope, metadata } = message;
  return { ...plainMessage(message), scope: scope && scopeOfText(scopeText(scope)), metadata: copiedJson(metadata) };
}

/** What a database returns of a value that it stores as JSON. Throws a `TypeError` for what JSON cannot express. */
export function copiedJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_key, part: unknown) => Object.freeze(part)) as T;
}

/** Of its own each time it is read, as from a database. */
export function recordOf({ event, position, sequence }: LogEntry): StoredRecord {
  return { ...plainMessage(event), streamId: event.streamId, position, sequence };
}
