import type { Uuid } from '../json/index.js';
import { streamTenantKey, type EnvelopeScope, type MessageDescriptor } from '../messages/index.js';
import { LateRecord, type StoredRecord } from '../storage/index.js';
import { eventAudited, readNote } from './event-audit.js';

/** The audit record of an event, built from the stored event and the note in the outbox. */
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

  /** The record belongs to the tenant of the event, even if the host caused it, so that the tenant's auditors can read it. */
  override get metadata(): Readonly<Record<string, unknown>> {
    const tenant = this.#event.metadata[streamTenantKey];
    return tenant === undefined ? super.metadata : { [streamTenantKey]: tenant };
  }
}
