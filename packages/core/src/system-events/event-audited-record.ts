import type { Uuid } from '../json/index.js';
import { streamTenantKey, type EnvelopeScope } from '../messages/index.js';
import { LateRecord, type EventRecord, type PendingRecord, type StoredRecord } from '../storage/index.js';
import { eventAudited, readNote } from './event-audit.js';
import { writeEventAudited } from './records/generated/audit-events.json.js';

/** The stored type of `EventAudited`. */
export const eventAuditedType = 'svc.EventAudited';

/** A stored event, or one of the same commit. Its position is known once it is stored; only the body of the audit record has it. */
export type AuditedEvent = EventRecord & Partial<Pick<StoredRecord, 'position'>>;

/** The audit record of an event, built from the stored event and a note. */
export class EventAuditedRecord extends LateRecord implements PendingRecord {
  readonly #event: AuditedEvent;
  readonly auditNote: string;

  constructor(id: Uuid, event: AuditedEvent, note: string) {
    super(id);
    this.#event = event;
    this.auditNote = note;
  }

  get type(): string {
    return eventAuditedType;
  }

  get body(): string {
    return writeEventAudited(eventAudited(this.id, this.#event, this.#event.position!, readNote(this.auditNote)));
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

/** The complete audit record of which a database has stored a reference to an event and a note. */
export function auditRecordOf(
  { id, position, sequence }: Pick<StoredRecord, 'id' | 'position' | 'sequence'>,
  event: StoredRecord,
  note: string,
): StoredRecord {
  const { type, streamId, body, timestamp, correlationId, causationId, scope, metadata } = new EventAuditedRecord(
    id,
    event,
    note,
  );
  return { id, type, streamId, body, timestamp, correlationId, causationId, scope, metadata, position, sequence };
}
