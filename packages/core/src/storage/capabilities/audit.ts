import type { Uuid } from '../../json/index.js';
import type { StoredRecord } from '../event-record.js';

/**
 * Which records of the system stream to read, in which order:
 *
 * - `all`, `user` (whose scope has a user id), `correlation` and `access` (`AccessDenied` and `AccessGranted` of a resource id) in the order of
 *   their time; records of the same millisecond in the order of the log.
 * - `message`: those that an event or command caused: its audit record, and its failures. In the order of their time, too.
 * - `type`: those of one of `indexedAuditTypes`, in the order of their time.
 * - `stream`: those of type `EventAudited` about the events of a stream, in the order of the stream.
 */
export type AuditSource =
  | { readonly kind: 'all' }
  | { readonly kind: 'user'; readonly userId: string }
  | { readonly kind: 'correlation'; readonly correlationId: Uuid }
  | { readonly kind: 'access'; readonly resourceId: Uuid }
  | { readonly kind: 'message'; readonly messageId: Uuid }
  | { readonly kind: 'type'; readonly type: string }
  | { readonly kind: 'stream'; readonly streamId: Uuid };

/** The types of records that are found without reading others. They are rare, or are read for all users. */
export const indexedAuditTypes: readonly string[] = [
  'svc.AccessDenied',
  'svc.PermissionChanged',
  'svc.ScopeContextEstablished',
  'svc.StreamRewindCompleted',
  'svc.StreamRewindStarted',
];

/**
 * A place in the order of a source. `order` distinguishes records of the same time: a sequence number, or for a stream the position. Records that
 * are appended later do not change the places of others.
 */
export interface AuditPlace {
  readonly time: number;
  readonly order: number;
}

/** What a page contains. */
export interface AuditRange {
  readonly source: AuditSource;
  readonly newestFirst: boolean;
  /** The first millisecond; null: no limit. */
  readonly from: number | null;
  /** The millisecond after the last one; null: no limit. */
  readonly to: number | null;
  /** The page begins behind this place; null: at the first record. */
  readonly after: AuditPlace | null;
}

/** A record of the system stream, with its place. */
export interface PlacedAuditRecord {
  readonly place: AuditPlace;
  /** Null: nothing was recorded about the event at this place. */
  readonly record: StoredRecord | null;
}

/** A page of records in the order of their source. */
export interface AuditRecords {
  readonly records: readonly PlacedAuditRecord[];
  /** Whether no records follow. */
  readonly isLast: boolean;
}

/** A message that caused another one. */
export interface AuditedCause {
  readonly id: Uuid;
  readonly kind: 'command' | 'event';
  readonly type: string;
  /** The metadata of an event; empty for a command. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/**
 * The capability `audit`: the database finds records of the system stream by user, correlation, resource and time, at a cost that does not depend
 * on the length of the log.
 *
 * Without it, a service cannot register audit queries.
 */
export interface StorageAudit {
  /** Whether the indexes of a source exist. A database with a long log builds them in the background. */
  isReady(kind: AuditSource['kind']): Promise<boolean>;
  /** A page of records, complete as readers of the stream get them. At most `limit`, and fewer if they are large. */
  readPage(range: AuditRange, limit: number): Promise<AuditRecords>;
  /**
   * The commands and events with these ids, of the same correlations. A command is found by its record, so only if it was audited.
   */
  findCauses(ids: readonly Uuid[], correlationIds: readonly Uuid[]): Promise<readonly AuditedCause[]>;
}
