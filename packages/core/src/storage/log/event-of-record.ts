import type { Uuid } from '../../json/index.js';
import type { EnvelopeScope, MessageEnvelope } from '../../messages/index.js';
import type { StoredEvent } from './event-store.js';
import type { ParsedRecord, StoredRecord } from '../event-record.js';

type AnyRecord = StoredRecord | ParsedRecord;

/**
 * An event that was read from the log. It is a class because its instances are always allocated in the young generation of the heap; V8 moves
 * frequently surviving object literals to the old generation, where they retain what they refer to until a full collection.
 */
export class EventOfRecord implements StoredEvent {
  readonly streamId: Uuid;
  readonly position: number;
  readonly sequence: number;
  declare readonly transaction?: number;
  readonly envelope: MessageEnvelope;

  constructor(record: AnyRecord, payload: object) {
    this.streamId = record.streamId;
    this.position = record.position;
    this.sequence = record.sequence;
    if (record.transaction !== undefined) this.transaction = record.transaction;
    this.envelope = new EnvelopeOfRecord(record, payload);
  }
}

class EnvelopeOfRecord implements MessageEnvelope {
  readonly id: Uuid;
  readonly type: string;
  readonly payload: object;
  readonly streamId: Uuid;
  readonly timestamp: Date;
  readonly correlationId: Uuid;
  readonly causationId: Uuid | null;
  readonly scope: EnvelopeScope | null;
  readonly metadata: Readonly<Record<string, unknown>>;

  constructor(record: AnyRecord, payload: object) {
    this.id = record.id;
    this.type = record.type;
    this.payload = payload;
    this.streamId = record.streamId;
    this.timestamp = new Date(record.timestamp);
    this.correlationId = record.correlationId;
    this.causationId = record.causationId;
    this.scope = record.scope;
    this.metadata = record.metadata;
  }
}
