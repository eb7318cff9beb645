import type { Uuid } from '../../json/index.js';
import type { EnvelopeScope } from '../../messages/index.js';
import { LateRecord } from './late-record.js';
import type { PendingRecord } from '../event-record.js';

/** A system event with another id than it had in the outbox. Its body contains the id, which is also its correlation id if it has no cause. */
export class RenewedRecord extends LateRecord {
  readonly #queued: PendingRecord;

  private constructor(id: Uuid, queued: PendingRecord) {
    super(id);
    this.#queued = queued;
  }

  static of(event: PendingRecord, id: Uuid): RenewedRecord {
    return new RenewedRecord(id, event instanceof RenewedRecord ? event.#queued : event);
  }

  get type(): string {
    return this.#queued.type;
  }

  get body(): string {
    return this.#queued.body.replaceAll(this.#queued.id, this.id);
  }

  get timestamp(): number {
    return this.#queued.timestamp;
  }

  get correlationId(): Uuid {
    const { id, correlationId } = this.#queued;
    return correlationId === id ? this.id : correlationId;
  }

  get causationId(): Uuid | null {
    return this.#queued.causationId;
  }

  get scope(): EnvelopeScope | null {
    return this.#queued.scope;
  }

  get auditNote(): string | undefined {
    return this.#queued.auditNote;
  }

  override get metadata(): Readonly<Record<string, unknown>> {
    return this.#queued.metadata;
  }
}
