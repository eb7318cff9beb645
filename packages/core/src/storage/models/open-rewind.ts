import type { Uuid } from '../../json/index.js';
import type { LogPlace } from '../log-place.js';

/** The rewind of a stream that some perspective has begun, and not all perspectives have finished. */
export interface OpenRewind {
  readonly streamId: Uuid;
  /** In milliseconds since 1970. */
  readonly startedAt: number;
  /** Where perspectives must be to have finished it. */
  readonly upTo: LogPlace;
  /** Those that have replayed models. */
  readonly perspectiveNames: readonly string[];
  /** How many events they replayed. */
  readonly eventsReplayed: number;
}

/** What a commit changes about open rewinds. */
export interface RewindChanges {
  /** The lane of the hosts that work on them. */
  readonly lane: string;
  /** Those that were read and are replaced or done. When one of them is another by now, nothing is committed: another host was faster. */
  readonly known: readonly OpenRewind[];
  /** Those that are open then. */
  readonly open: readonly OpenRewind[];
}
