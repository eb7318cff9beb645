import type { Uuid } from '../json/index.js';
import type { EnvelopeScope } from '../messages/index.js';
import type { LogPlace } from './log-place.js';

/** A message as a database stores it: its body is JSON text. */
export interface MessageRecord {
  readonly id: Uuid;
  readonly type: string;
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  readonly correlationId: Uuid;
  readonly causationId: Uuid | null;
  readonly scope: EnvelopeScope | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** An event of a stream, as a database stores it. */
export interface EventRecord extends MessageRecord {
  readonly streamId: Uuid;
}

/** An event to append. */
export interface PendingRecord extends EventRecord {
  /** The position the stream must have reached (-1: it must not exist yet); undefined: any. */
  readonly expectedPosition: number | undefined;
  /** Whether the stream, when it exists, must belong to the tenant of this event. Default: false. */
  readonly sameTenant?: boolean;
  /**
   * Only for the audit record of a stored event, which `causationId` names: what the record adds to the event, as JSON. A database stores this
   * reference instead of a copy of the event, and returns the complete record.
   */
  readonly auditNote?: string | undefined;
}

/**
 * A stored event. `position` counts from 0 within its stream, without gaps. `sequence` is unique over all streams and names the
 * place of the event in the order of `readAll`; numbers may be missing, and they need not ascend where several hosts write.
 */
export interface StoredRecord extends EventRecord, LogPlace {
  readonly position: number;
}

/** A stored event whose body the database has already parsed, for readers of many events. */
export interface ParsedRecord extends Omit<StoredRecord, 'body'> {
  readonly content: unknown;
}
