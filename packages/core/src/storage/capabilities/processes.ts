import type { Uuid } from '../../json/index.js';
import type { ProcessInstanceRecord } from '../process-record.js';

/** Which instances of processes to read. */
export interface InstanceFilter {
  /** Only those that have not ended. */
  readonly isOpen: boolean;
  /** The instances that started after this one; null: from the first. */
  readonly after: Uuid | null;
}

/**
 * The capability `processes`: the database lists the instances of processes, at a cost that does not depend on the length of the log.
 * `CommitRecord.step` belongs to it.
 *
 * Without it, a service with processes does not start.
 */
export interface StorageProcesses {
  /** Instances in the order of their start, at most `limit`. None if `after` does not exist. */
  readInstances(filter: InstanceFilter, limit: number): Promise<readonly ProcessInstanceRecord[]>;
}
