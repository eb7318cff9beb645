import type { Uuid } from '../../json/index.js';
import { SystemEventStream, type EnvelopeScope } from '../../messages/index.js';
import type { PendingRecord } from '../event-record.js';

const noMetadata: Readonly<Record<string, unknown>> = Object.freeze({});

/**
 * A system event that only svc refers to. It cannot change, so its JSON is written only when it is read, and it uses little memory until
 * then: a storage in memory stores it as it is.
 */
export abstract class LateRecord implements PendingRecord {
  readonly id: Uuid;

  constructor(id: Uuid) {
    this.id = id;
  }

  abstract get type(): string;
  abstract get body(): string;
  abstract get timestamp(): number;
  abstract get correlationId(): Uuid;
  abstract get causationId(): Uuid | null;
  abstract get scope(): EnvelopeScope | null;

  get streamId(): Uuid {
    return SystemEventStream.streamId;
  }

  get metadata(): Readonly<Record<string, unknown>> {
    return noMetadata;
  }

  get expectedPosition(): undefined {
    return undefined;
  }
}
