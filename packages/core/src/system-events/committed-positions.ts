import type { Uuid } from '../json/index.js';
import type { EventLog, PendingRecord } from '../storage/index.js';

/**
 * Where the events of one committed record are in their streams. Those of one stream follow each other there, so the first of them is looked
 * up for all, and only on demand.
 */
export class CommittedPositions {
  readonly #log: Pick<EventLog, 'positionOf'>;
  readonly #streams = new Map<Uuid, { readonly first: () => Promise<number>; count: number }>();

  constructor(log: Pick<EventLog, 'positionOf'>) {
    this.#log = log;
  }

  /** Takes the events of the record in their order, and tells the position of each. */
  next({ id, streamId }: PendingRecord): () => Promise<number> {
    let stream = this.#streams.get(streamId);
    if (stream === undefined) {
      let found: number | undefined;
      const first = async (): Promise<number> => (found ??= await this.#log.positionOf(streamId, id));
      this.#streams.set(streamId, (stream = { first, count: 0 }));
    }
    const { first } = stream;
    const offset = stream.count++;
    return async () => (await first()) + offset;
  }
}
