import type { Uuid } from '../json/index.js';
import type { EnvelopeScope } from '../messages/index.js';
import type { PendingRecord, StoredRecord } from './storage.js';

/** An event in its place. The record it came as stays what it is: a late one is written only when somebody reads the body. */
export class MemoryRecord implements StoredRecord {
  readonly #record: PendingRecord;
  readonly position: number;
  readonly sequence: number;

  constructor(record: PendingRecord, position: number, sequence: number) {
    this.#record = record;
    this.position = position;
    this.sequence = sequence;
  }

  get id(): Uuid {
    return this.#record.id;
  }

  get type(): string {
    return this.#record.type;
  }

  get streamId(): Uuid {
    return this.#record.streamId;
  }

  get body(): string {
    return this.#record.body;
  }

  get timestamp(): number {
    return this.#record.timestamp;
  }

  get correlationId(): Uuid {
    return this.#record.correlationId;
  }

  get causationId(): Uuid | null {
    return this.#record.causationId;
  }

  get scope(): EnvelopeScope | null {
    return this.#record.scope;
  }

  get metadata(): Readonly<Record<string, unknown>> {
    return this.#record.metadata;
  }
}
