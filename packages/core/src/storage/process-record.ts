import type { Uuid } from '../json/index.js';

/** An event that an instance of a process has received, as part of the record that commits it. */
export interface ProcessStep {
  /** The stream of the instance. */
  readonly streamId: Uuid;
  readonly process: string;
  /** '' for none. */
  readonly tenant: string;
  readonly key: string;
  /** When it was received, in milliseconds since 1970. */
  readonly at: number;
  /** Whether the instance had ended before. */
  readonly isIgnored: boolean;
  /** Whether the instance ends with it. */
  readonly completes: boolean;
}

/** An instance of a process. Times are in milliseconds since 1970. */
export interface ProcessInstanceRecord {
  readonly streamId: Uuid;
  readonly process: string;
  readonly tenant: string;
  readonly key: string;
  /** How many events it has processed. */
  readonly events: number;
  /** How many events arrived after it had ended. */
  readonly ignored: number;
  /** When it received its first and its last event. */
  readonly startedAt: number;
  readonly changedAt: number;
  readonly isCompleted: boolean;
}
