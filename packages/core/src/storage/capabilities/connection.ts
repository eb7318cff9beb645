import type { Uuid } from '../../json/index.js';

/**
 * The capability `connection`: the storage uses its database over a connection or in a file, so a response can be lost. A record that is
 * committed again after a lost response is recognized by its ids.
 *
 * Without it, the service has no health check `svc_relational_db`.
 */
export interface StorageConnection {
  /** Uses a connection that is already open, and opens none. Rejects if the database does not answer. */
  ping(): Promise<void>;
  /**
   * The first and the last event of each type among the oldest and the newest stored events. No index has the types of all events, so it reads at most a
   * few thousand. Absent: the storage reads none.
   */
  sampleEvents?(): Promise<readonly SampledEvent[]>;
  /** What the database role of this process may do to the log, as far as known. Absent: the database has no roles. */
  access?(): DatabaseAccess | null;
}

/** An event whose type is known. */
export interface SampledEvent {
  readonly type: string;
  readonly id: Uuid;
}

/** What the database role of a process may do to the log. */
export interface DatabaseAccess {
  /** `single`: one role owns and runs everything. `separate`: the database has an owner and a runtime role. */
  readonly roles: 'single' | 'separate';
  /** How this role can change or remove events that are stored, such as `it owns svc_events`; empty: it cannot. */
  readonly waysToChangeHistory: readonly string[];
}
