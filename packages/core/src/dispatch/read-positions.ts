import type { Uuid } from '../json/index.js';
import type { ConcurrencyConflictError, PendingRecord } from '../storage/index.js';

/**
 * The positions up to which a command and its nested commands have read streams. An event that they append to such a stream is committed only
 * if the stream is still at that position.
 */
export class ReadPositions {
  #positions: Map<Uuid, number> | undefined;
  /** The appended events that depend on what was read. */
  #dependent: Set<PendingRecord> | undefined;

  /** Notes that a stream was read up to its end. The lowest position of several reads counts, because the command may have decided from it. */
  note(streamId: Uuid, position: number): void {
    this.#positions ??= new Map();
    this.#positions.set(streamId, Math.min(position, this.#positions.get(streamId) ?? position));
  }

  /** Called with an event that is appended without an expected position of its own. */
  appended(event: PendingRecord): void {
    if (this.#positions?.has(event.streamId) === true) (this.#dependent ??= new Set()).add(event);
  }

  /** The events of a record with the positions that the command has read. */
  expectedBy(events: PendingRecord[]): PendingRecord[] {
    const dependent = this.#dependent;
    if (dependent === undefined) return events;
    const next = new Map(this.#positions);
    return events.map((event) => {
      const expectedPosition = next.get(event.streamId);
      if (expectedPosition === undefined) return event;
      next.set(event.streamId, expectedPosition + 1);
      return dependent.has(event) ? { ...event, expectedPosition } : event;
    });
  }

  /** Whether a conflict is about what the command has read, and not about a position that its caller has given. */
  isOutdatedBy({ streamId, expectedPosition }: ConcurrencyConflictError, events: readonly PendingRecord[]): boolean {
    const read = this.#positions?.get(streamId);
    if (read === undefined || expectedPosition < read) return false;
    return expectedPosition < read + events.filter((event) => event.streamId === streamId).length;
  }
}
