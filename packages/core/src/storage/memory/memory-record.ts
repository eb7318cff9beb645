import type { Uuid } from '../../json/index.js';
import type { EnvelopeScope } from '../../messages/index.js';
import type { MemoryLog } from './memory-log.js';
import type { EventRecord, StoredRecord } from '../storage.js';

/** An event in its place. It holds nothing of the event: many wait to be audited, and each is read from the log when somebody asks. */
export class MemoryRecord implements StoredRecord {
  readonly #log: MemoryLog;
  readonly position: number;
  readonly sequence: number;

  constructor(log: MemoryLog, position: number, sequence: number) {
    this.#log = log;
    this.position = position;
    this.sequence = sequence;
  }

  get id(): Uuid {
    return this.#event.id;
  }

  get type(): string {
    return this.#event.type;
  }

  get streamId(): Uuid {
    return this.#event.streamId;
  }

  get body(): string {
    return this.#event.body;
  }

  get timestamp(): number {
    return this.#event.timestamp;
  }

  get correlationId(): Uuid {
    return this.#event.correlationId;
  }

  get causationId(): Uuid | null {
    return this.#event.causationId;
  }

  get scope(): EnvelopeScope | null {
    return this.#event.scope;
  }

  get metadata(): Readonly<Record<string, unknown>> {
    return this.#event.metadata;
  }

  get #event(): EventRecord {
    return this.#log.read(this.sequence);
  }
}
