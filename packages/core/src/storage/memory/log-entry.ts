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

/** A copy that the caller cannot change. A `LateRecord` cannot change either, so it is stored as it is. */
export function copiedEvent(event: PendingRecord): EventRecord {
  if (event instanceof LateRecord) return event;
  const { id, type, body, timestamp, correlationId, causationId, scope, metadata, streamId } = event;
  return {
    id,
    type,
    body,
    timestamp,
    correlationId,
    causationId,
    scope: copiedScope(scope),
    metadata: copiedMetadata(metadata),
    streamId,
  };
}

export function copiedMessage(message: MessageRecord): MessageRecord {
  if (message instanceof LateRecord) return message;
  const { scope, metadata } = message;
  return { ...plainMessage(message), scope: copiedScope(scope), metadata: copiedMetadata(metadata) };
}

function copiedScope(scope: MessageRecord['scope']): MessageRecord['scope'] {
  return scope && scopeOfText(scopeText(scope));
}

const noMetadata: MessageRecord['metadata'] = Object.freeze({});

/** Most messages have none. */
function copiedMetadata(metadata: MessageRecord['metadata']): MessageRecord['metadata'] {
  return Object.keys(metadata).length === 0 ? noMetadata : copiedJson(metadata);
}

/** The value that a database returns after it has stored it as JSON. Throws a `TypeError` for a value that JSON cannot express. */
export function copiedJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_key, part: unknown) => Object.freeze(part)) as T;
}

/** A new record for each read, as from a database. */
export function recordOf({ event, position, sequence }: LogEntry): StoredRecord {
  const { id, type, body, timestamp, correlationId, causationId, scope, metadata, streamId } = event;
  return { id, type, body, timestamp, correlationId, causationId, scope, metadata, streamId, position, sequence };
}
