import { expect, it } from 'vitest';
import { newId } from '../../messages/index.js';
import type { StoredRecord } from '../event-record.js';
import { EventOfRecord } from './event-of-record.js';

const record: StoredRecord = {
  id: newId(),
  type: 'test.Happened',
  streamId: newId(),
  body: '{}',
  timestamp: 1_700_000_000_123,
  correlationId: newId(),
  causationId: newId(),
  scope: { tenantId: 'a' },
  metadata: { note: 1 },
  position: 3,
  sequence: 7,
};
const payload = { what: 'happened' };

it('has the place of its record, and an envelope with its time as a date', () => {
  const event = new EventOfRecord(record, payload);
  const { id, type, streamId, correlationId, causationId, scope, metadata } = record;
  const timestamp = new Date(record.timestamp);
  const envelope = { id, type, streamId, correlationId, causationId, scope, metadata, timestamp, payload };
  expect(event).toEqual({ streamId, position: 3, sequence: 7, envelope });
  expect(event.envelope.payload).toBe(payload);
});

it('has a transaction only if its record has one', () => {
  expect(Object.hasOwn(new EventOfRecord(record, payload), 'transaction')).toBe(false);
  expect(new EventOfRecord({ ...record, transaction: 801 }, payload).transaction).toBe(801);
});
