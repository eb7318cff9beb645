import type { Uuid } from '../../json/index.js';
import { isReceived } from '../../messages/index.js';
import { comparePlaces, type StoppedStream, type StoredEvent } from '../../storage/index.js';

/**
 * Part of the version of all models. Increase it whenever a change gives models another order of events: the next start then replays them as
 * migration items. 1: the order of ids; 2: causal order.
 */
export const foldOrderVersion = 2;

/**
 * The order in which a model applies its events. Events of this database: the order of the log, so each follows its cause. An event of another
 * database: after the last event with a smaller id, because its cause has a smaller one. No clock decides (decision 0075).
 */
export function inFoldOrder(events: readonly StoredEvent[]): readonly StoredEvent[] {
  const ordered: StoredEvent[] = [];
  for (const event of events.toSorted(comparePlaces)) {
    let at = ordered.length;
    if (isReceived(event.envelope)) while (at > 0 && ordered[at - 1]!.envelope.id > event.envelope.id) at--;
    ordered.splice(at, 0, event);
  }
  return ordered;
}

/** Whether an event belongs before one that its model has processed. `latest`: the greatest id of those. */
export function isLate({ envelope }: StoredEvent, latest: Uuid): boolean {
  return envelope.id < latest && isReceived(envelope);
}

/** Where a stream is stopped. */
export type Stop = Pick<StoppedStream, 'eventId' | 'position' | 'attempts'>;

/** Whether an event is before the one at which its stream is stopped. */
export function isBeforeStop(
  { id, position, metadata }: { readonly id: Uuid; readonly position: number; readonly metadata: object },
  stop: Pick<Stop, 'eventId' | 'position'>,
): boolean {
  if (id >= stop.eventId) return false;
  return position < stop.position || isReceived({ metadata: metadata as Record<string, unknown> });
}
