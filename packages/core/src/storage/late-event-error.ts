import { ServiceError } from '../errors/index.js';
import type { Uuid } from '../json/index.js';

/** Streams have events with greater ids than those that a record would append. The event log gives the record new ids and commits it again. */
export class LateEventError extends ServiceError {
  /** The greatest ids of the streams. */
  readonly latest: ReadonlyMap<Uuid, Uuid>;

  constructor(latest: ReadonlyMap<Uuid, Uuid>) {
    super(
      'SVC_CONCURRENCY_CONFLICT',
      `Cannot append to ${[...latest.keys()].map((id) => `stream ${id}`).join(', ')}: other hosts appended events at each attempt. Retry.`,
    );
    this.latest = latest;
  }
}
