import { ServiceError } from '../errors/index.js';
import type { Uuid } from '../json/index.js';
import type { EventStore, PendingEvent, StreamEvent } from '../storage/index.js';

/**
 * Collects what one command changes. `commit` hands all of it to the event store at once; a nested unit hands it to the unit
 * around it instead. Once ended, committed or not, a unit takes nothing more.
 */
export class UnitOfWork {
  readonly #eventStore: EventStore;
  readonly #parent: UnitOfWork | null;
  readonly #events: PendingEvent[] = [];
  #ended = false;

  constructor(eventStore: EventStore, parent: UnitOfWork | null) {
    this.#eventStore = eventStore;
    this.#parent = parent;
  }

  append(event: PendingEvent): void {
    if (this.#ended) {
      throw new ServiceError(
        'SVC_UNIT_OF_WORK_CLOSED',
        `${event.envelope.type} was appended after its command had ended, and is not kept. Await everything a receptor starts.`,
      );
    }
    this.#events.push(event);
  }

  async *readStream(streamId: Uuid, fromPosition = 0): AsyncIterable<StreamEvent> {
    let position = -1;
    for await (const event of this.#eventStore.readStream(streamId, fromPosition)) {
      position = event.position;
      yield event;
    }
    const pending = this.#pendingIn(streamId);
    if (pending.length === 0) return;
    if (position === -1) position = await this.#eventStore.lastPosition(streamId);
    for (const { envelope } of pending) {
      position++;
      if (position >= fromPosition) yield { streamId, position, envelope };
    }
  }

  /** Keeps everything; a promise only where the event store needs one. */
  commit(): unknown {
    this.#ended = true;
    if (this.#events.length === 0) return undefined;
    if (this.#parent === null) return this.#eventStore.commit(this.#events);
    for (const event of this.#events) this.#parent.append(event);
    return undefined;
  }

  /** Ends the unit without keeping anything. */
  drop(): void {
    this.#ended = true;
  }

  #pendingIn(streamId: Uuid): PendingEvent[] {
    const outer = this.#parent === null ? [] : this.#parent.#pendingIn(streamId);
    return outer.concat(this.#events.filter((event) => event.streamId === streamId));
  }
}
