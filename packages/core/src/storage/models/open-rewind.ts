import type { Uuid } from '../../json/index.js';
import type { LogPlace } from '../log-place.js';

/** The rewind of a stream that a perspective has started and that not all perspectives have completed. */
export interface OpenRewind {
  readonly streamId: Uuid;
  /** In milliseconds since 1970. */
  readonly startedAt: number;
  /** The place that perspectives must reach to complete it. */
  readonly upTo: LogPlace;
  /** The perspectives that have replayed models. */
  readonly perspectiveNames: readonly string[];
  /** How many events they replayed. */
  readonly eventsReplayed: number;
  /** The perspectives whose segments replay models. Absent: there are none. */
  readonly divided?: readonly DividedRewind[];
}

/** The rewind of a perspective that is divided into segments. All of them report it together, when the last one has passed the place. */
export interface DividedRewind {
  readonly perspectiveName: string;
  readonly triggeringEventId: Uuid;
  /** In milliseconds since 1970. */
  readonly startedAt: number;
  /** The greatest id of the replayed events; null: no segment has replayed any yet. */
  readonly finalEventId: Uuid | null;
  readonly eventsReplayed: number;
}

/** What a commit changes about open rewinds. */
export interface RewindChanges {
  /** The lane of the hosts that work on them. */
  readonly lane: string;
  /** The rewinds that were read and are replaced or completed. If one has changed since, another host was faster and nothing is committed. */
  readonly known: readonly OpenRewind[];
  /** The rewinds that are open after the commit. */
  readonly open: readonly OpenRewind[];
}
