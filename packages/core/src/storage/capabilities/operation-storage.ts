import type { Uuid } from '../../json/index.js';
import type {
  OperationAsking,
  OperationEnd,
  OperationRecord,
  OperationRequest,
  OperationState,
} from '../operation-record.js';

/**
 * The capability `operations`: operators leave requests in the database, and the hosts that share it carry them out.
 *
 * Without it, only this process can reach what is stored, so no operator can ask, and the service has no worker for requests.
 */
export interface OperationStorage {
  /** How long a host has a request from when it last said so. */
  readonly leaseMs: number;
  /** How often hosts have to look for requests by themselves. */
  readonly pollMs: number;
  /** Calls `listener` when there may be a request. A database that cannot notify never calls it: its hosts poll every `pollMs`. */
  onAsked(listener: () => void): void;
  /** Keeps a request and tells the hosts. Or answers with the one that is in its way, and keeps nothing. */
  ask(request: OperationRequest, asking: OperationAsking): Promise<OperationRecord | null>;
  find(id: Uuid): Promise<OperationRecord | null>;
  /** Those that have not ended, the oldest first. */
  readOpen(limit: number): Promise<readonly OperationRecord[]>;
  /** Has `holder` run it, for `leaseMs` at first; null when it has ended or another host runs it. */
  claim(id: Uuid, holder: Uuid): Promise<OperationRecord | null>;
  /** Says that `holder` still runs it, and how far it is. Answers with its state; null when it is not the holder's any more. */
  renew(id: Uuid, holder: Uuid, progress: unknown): Promise<OperationState | null>;
  /** Ends it. False when it is not the holder's any more. */
  finish(id: Uuid, holder: Uuid, end: OperationEnd): Promise<boolean>;
  /** Gives it back as it is, for another host to run. */
  release(id: Uuid, holder: Uuid): Promise<void>;
  /** Cancels it at once when no host runs it; otherwise its host is to. Answers with its state by then; null when there is none. */
  cancel(id: Uuid): Promise<OperationState | null>;
}
