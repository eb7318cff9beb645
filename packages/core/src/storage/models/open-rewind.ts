import type { Uuid } from '../../json/index.js';
import type { LogPlace } from '../log-place.js';

/** The rewind of a stream that a perspective has started and that not all perspectives have completed. */
export interface OpenRewind {
  readonly streamId: Uuid;
  /** In milliseconds since 1970. */
  readonly startedAt: number;
  /** The place that perspectives must reach to complete it. */
  readonly upTo: LogPlace;
  /** The perspectives that have completed their rewind. */
  readonly perspectiveNames: readonly string[];
  /** How many events they replayed. */
  readonly eventsReplayed: number;
  /** The perspectives that have started their rewind and have not completed it. Absent: there are none. */
  readonly begun?: readonly BegunRewind[];
}

/**
 * The rewind of a perspective. It is completed when the perspective has passed the place: with its models, by the last of its segments, or by
 * a rebuild that has replaced the models.
 */
export interface BegunRewind {
  readonly perspectiveName: string;
  readonly triggeringEventId: Uuid;
  /** In milliseconds since 1970. */
  readonly startedAt: number;
  /** The greatest id of the events that are replayed. */
  readonly finalEventId: Uuid;
  /** How many events were replayed so far. */
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
