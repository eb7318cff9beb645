import type { StreamEvent } from '@svc/core';

/**
 * The order in which a model takes its events, given in the order of the log: those of this database stay as they are, one of another database goes
 * behind the last with a smaller id.
 */
export function causalOrder(log: readonly StreamEvent[]): readonly StreamEvent[] {
  return log.reduce<StreamEvent[]>((ordered, event) => {
    const { id, metadata } = event.envelope;
    const isLocal = metadata['origin'] === undefined;
    const at = isLocal ? ordered.length : 1 + ordered.findLastIndex(({ envelope }) => envelope.id < id);
    return ordered.toSpliced(at, 0, event);
  }, []);
}
