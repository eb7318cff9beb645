/** The rewind events of a service, and whether they are in the order of the specification. */
import {
  PerspectiveRewindCompleted,
  PerspectiveRewindStarted,
  StreamRewindCompleted,
  StreamRewindStarted,
  SystemEventStream,
  type Service,
  type Uuid,
} from '@svc/core';
import { collect } from '../system-events/shop.js';

const rewindEvents = [
  StreamRewindStarted,
  StreamRewindCompleted,
  PerspectiveRewindStarted,
  PerspectiveRewindCompleted,
] as const;

/** The rewind events of a stream, in their order. */
export async function rewindsOf(service: Service, streamId: Uuid): Promise<object[]> {
  const stream = await collect(service.eventStore.readStream(SystemEventStream.streamId));
  return stream
    .map(({ envelope }) => envelope.payload)
    .filter((payload) => rewindEvents.some((type) => payload instanceof type))
    .filter((payload) => (payload as StreamRewindStarted).streamId === streamId);
}

/** Whether each rewind of a stream starts once, before its perspectives, and is completed once, after them. */
export function areWhole(events: readonly object[]): boolean {
  let names: Set<string> | null = null;
  const open = new Set<string>();
  let replayed = 0;
  for (const event of events) {
    if (event instanceof StreamRewindStarted) {
      if (names !== null) return false;
      names = new Set();
    } else if (names === null) return false;
    else if (event instanceof PerspectiveRewindStarted) open.add(event.perspectiveName);
    else if (event instanceof PerspectiveRewindCompleted) {
      if (!open.delete(event.perspectiveName)) return false;
      names.add(event.perspectiveName);
      replayed += event.eventsReplayed;
    } else if (event instanceof StreamRewindCompleted) {
      if (open.size > 0 || replayed !== event.totalEventsReplayed) return false;
      if (event.perspectiveNames.toSorted().join() !== [...names].toSorted().join()) return false;
      names = null;
      replayed = 0;
    }
  }
  return events.length > 0 && names === null;
}
