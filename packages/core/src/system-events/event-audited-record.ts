import type { Uuid } from '../json/index.js';
import { streamTenantKey, type EnvelopeScope, type MessageDescriptor } from '../messages/index.js';
import { LateRecord, type StoredRecord } from '../storage/index.js';
import { eventAudited, readNote } from './event-audit.js';

/** The audit of an event, put together of the event in its place and of what was noted beside it. */
export class EventAuditedRecord extends LateRecord {
  readonly #event: StoredRecord;
  readonly #note: string;
  readonly #descriptor: MessageDescriptor;

  constructor(id: Uuid, event: StoredRecord, note: string, descriptor: MessageDescriptor) {
    super(id);
    this.#event = event;
    this.#note = note;
    this.#descriptor = descriptor;
  }

  get type(): string {
    return this.#descriptor.type;
  }

  get body(): string {
    return this.#descriptor.write(eventAudited(this.id, this.#event, this.#event.position, readNote(this.#note)));
  }

  get timestamp(): number {
    return this.#event.timestamp;
  }

  get correlationId(): Uuid {
    return this.#event.correlationId;
  }

  get causationId(): Uuid {
    return this.#event.id;
  }

  get scope(): EnvelopeScope | null {
    return this.#event.scope;
  }

  /** The record counts for the same tenant as the event, whoever caused it: its auditors may see it. */
  override get metadata(): Readonly<Record<string, unknown>> {
    const tenant = this.#event.metadata[streamTenantKey];
    return tenant === undefined ? super.metadata : { [streamTenantKey]: tenant };
  }
}
