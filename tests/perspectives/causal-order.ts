import type { Uuid } from '@svc/core';

/** What decides where an event belongs. */
interface PlacedEvent {
  readonly id: Uuid;
  /** Whether it comes from another database. */
  readonly isReceived: boolean;
}

/**
 * The order in which a model takes its events, given in the order of the log: those of this database stay as they are, one of another database goes
 * behind the last with a smaller id.
 */
export function causalOrder<T extends PlacedEvent>(log: readonly T[]): readonly T[] {
  return log.reduce<T[]>((ordered, event) => {
    const at = event.isReceived ? 1 + ordered.findLastIndex(({ id }) => id < event.id) : ordered.length;
    return ordered.toSpliced(at, 0, event);
  }, []);
}
