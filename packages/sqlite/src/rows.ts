import { scopeOfText, type StoredRecord } from '@svc/core/storage';
import type { Row } from './engine.js';

export function toRecord(row: Row): StoredRecord {
  return {
    id: row['id'],
    type: row['type'],
    streamId: row['stream_id'],
    body: row['body'],
    timestamp: row['timestamp'],
    correlationId: row['correlation_id'],
    causationId: row['causation_id'],
    scope: row['scope'] === null ? null : scopeOfText(row['scope'] as string),
    metadata: JSON.parse(row['metadata'] as string) as unknown,
    position: row['position'],
    sequence: row['sequence'],
  } as StoredRecord;
}
