import type { Uuid } from '../../json/index.js';
import type {
  OperationAsking,
  OperationEnd,
  OperationRecord,
  OperationRequest,
  OperationState,
} from '../operation-record.js';

/**
 * The capability `operations`: operators store requests in the database, and the hosts that share it run them.
 *
 * Without it, only this process can use the storage, so there are no requests, and the service has no worker for them.
 */
export interface OperationStorage {
  /** How long a host holds a request after it last claimed or renewed it. */
  readonly leaseMs: number;
  /** How often hosts poll for requests. */
  readonly pollMs: number;
  /** Calls `listener` when there may be a request. A database that cannot notify never calls it: its hosts poll every `pollMs`. */
  onRequested(listener: () => void): void;
  /** Stores a request and notifies the hosts. Or returns the open request that excludes it, and stores nothing. */
  ask(request: OperationRequest, asking: OperationAsking): Promise<OperationRecord | null>;
  find(id: Uuid): Promise<OperationRecord | null>;
  /** The requests that have not ended, the oldest first. */
  readOpen(limit: number): Promise<readonly OperationRecord[]>;
  /** The requests that have ended, the latest first. */
  readRecent(limit: number): Promise<readonly OperationRecord[]>;
  /** Makes `holder` the host that runs it, for `leaseMs` at first; null: it has ended, or another host runs it. */
  claim(id: Uuid, holder: Uuid): Promise<OperationRecord | null>;
  /** Renews the lease of `holder` and stores the progress. Returns the state; null: another host holds it now. */
  renew(id: Uuid, holder: Uuid, progress: unknown): Promise<OperationState | null>;
  /** Ends it. False: `holder` no longer holds it. */
  finish(id: Uuid, holder: Uuid, end: OperationEnd): Promise<boolean>;
  /** Returns it as it is, for another host to run. */
  release(id: Uuid, holder: Uuid): Promise<void>;
  /** Cancels it at once if no host runs it; otherwise its host cancels it. Returns the new state; null: there is no such request. */
  cancel(id: Uuid): Promise<OperationState | null>;
}
