import type { Uuid } from '../json/index.js';
import type { EventLog, PendingRecord } from '../storage/index.js';

/** The stream positions of the events of one commit. Events of a stream are adjacent, so only the first is looked up, on demand. */
export class CommittedPositions {
  readonly #log: Pick<EventLog, 'positionOf'>;
  readonly #streams = new Map<Uuid, { readonly first: () => Promise<number>; count: number }>();

  constructor(log: Pick<EventLog, 'positionOf'>) {
    this.#log = log;
  }

  /** Call it with the events of the commit in their order. Returns a function that reads the event's position. */
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
