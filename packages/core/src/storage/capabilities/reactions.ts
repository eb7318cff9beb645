import type { Uuid } from '../../json/index.js';
import type {
  FailedStream,
  FailedStreamRecord,
  ReactionRecord,
  ReactionSegment,
  ReactionStanding,
  ReactionStart,
} from '../reaction-record.js';

/** Segments of a reaction at the start of a term, and what earlier terms have left. */
export interface ReactionTerm {
  readonly isPaused: boolean;
  readonly segments: readonly ReactionSegment[];
  /** The events after the places of the reaction that are processed. */
  readonly reacted: readonly Uuid[];
  readonly hasFailedStreams: boolean;
}

/** The new place of a segment, and its processed events that are no longer after it. */
export interface SegmentMove extends Pick<ReactionSegment, 'segment' | 'term'> {
  readonly passed: readonly Uuid[];
}

/** The failed streams that are to be retried now. */
export interface DueStreams {
  readonly streams: readonly FailedStream[];
  /** How long until the next one; null: none waits. */
  readonly nextInMs: number | null;
}

/**
 * The capability `reactions`: the places of each reaction in the log, one for each segment of its streams (`reactionSegments`), and its
 * failed streams. `CommitRecord.reacted` belongs to it. A method with a term changes nothing and returns false if another term of the
 * segment has begun.
 *
 * Without it, a service with reactions does not start.
 */
export interface StorageReactions {
  /**
   * Records the starting place of a reaction that is not recorded yet. Returns false, and records nothing, if `from` is null and the log
   * has events of the application outside of the system stream.
   */
  register(name: string, from: ReactionStart | null): Promise<boolean>;
  find(name: string): Promise<ReactionRecord | null>;
  /** All recorded reactions by name. Counts at most `limit` events of each that are behind. */
  readStandings(limit: number): Promise<readonly ReactionStanding[]>;
  /** Begins a term of some segments: hosts of earlier terms commit nothing more there. Null: the reaction is not recorded. */
  begin(name: string, segments: readonly number[]): Promise<ReactionTerm | null>;
  /** Moves segments to a place, and forgets their processed events before it. False: another term of one of them has begun; others have moved. */
  advance(name: string, sequence: number, moves: readonly SegmentMove[]): Promise<boolean>;
  /** Records a failed stream, and forgets processed events before its position. The term is that of its segment. `retryInMs` null: it is parked. */
  suspend(
    name: string,
    term: number,
    stream: FailedStream,
    retryInMs: number | null,
    passed: readonly Uuid[],
  ): Promise<boolean>;
  /** Removes a failed stream that has caught up, and forgets its processed events. */
  resume(name: string, term: number, streamId: Uuid, passed: readonly Uuid[]): Promise<boolean>;
  /** Which of some streams are failed. */
  findFailed(name: string, streamIds: readonly Uuid[]): Promise<readonly Uuid[]>;
  /** The failed streams of some segments that are to be retried, at most `limit`. */
  readDue(name: string, segments: readonly number[], limit: number): Promise<DueStreams>;
  /** The failed streams in the order of their ids, after one of them; null: from the first. */
  readFailed(name: string, after: Uuid | null, limit: number): Promise<readonly FailedStreamRecord[]>;
  /** Pauses or resumes a reaction. False: it is not recorded. */
  setPaused(name: string, isPaused: boolean): Promise<boolean>;
  /** Retries a failed stream now, or all of them for null, with a new count of attempts. Returns their number. */
  retry(name: string, streamId: Uuid | null): Promise<number>;
  /** Skips the event at which a stream failed: it continues with the next one. False: the stream is not failed. */
  skip(name: string, streamId: Uuid): Promise<boolean>;
}
