import type { Uuid } from '../json/index.js';

/** Where a reaction starts in a log that has events: after the last of them, or before the first. */
export type ReactionStart = 'now' | 'beginning';

/** An event that a reaction has processed, as part of the record that commits its changes. */
export interface ReactedEvent {
  readonly reaction: string;
  /** The segment of the stream of the event. */
  readonly segment: number;
  /** The term of the host that ran the reaction, in this segment. */
  readonly term: number;
  readonly eventId: Uuid;
}

/** The progress of a reaction in one of its segments. */
export interface ReactionSegment {
  readonly segment: number;
  /** The sequence number of its place: everything up to it is processed, or belongs to a failed stream. -1: nothing is. */
  readonly sequence: number;
  /** Changes when a host takes the segment over, and with every change of an operator. Hosts of earlier terms commit nothing. */
  readonly term: number;
}

/** What is recorded about a reaction, in addition to its progress. */
export interface ReactionFacts {
  readonly name: string;
  readonly isPaused: boolean;
  /** When it started for the first time, in milliseconds since 1970, and at which place. */
  readonly startedAt: number;
  readonly startedAfter: number;
}

/** A reaction, and its progress in all segments, in their order. */
export interface ReactionRecord extends ReactionFacts {
  readonly segments: readonly ReactionSegment[];
}

/** How far a reaction is behind, and its failed streams. */
export interface ReactionStanding extends ReactionFacts {
  /** The sequence number of the place that is furthest behind. */
  readonly sequence: number;
  /** The events of the log after that place, of all types, counted up to a limit. */
  readonly behind: number;
  /** When the first of them happened, in milliseconds since 1970; null: there is none. */
  readonly oldest: number | null;
  /** The streams that wait for a retry. */
  readonly waiting: number;
  /** The streams that wait for an operator. */
  readonly parked: number;
}

/** A stream whose events wait, because the reaction failed at one of them. */
export interface FailedStream {
  readonly streamId: Uuid;
  /** The event to continue with. */
  readonly position: number;
  /** The event at which the reaction failed. */
  readonly eventId: Uuid;
  /** How often the reaction has failed at it since it first did, or since an operator requested a retry. */
  readonly attempts: number;
  readonly errorName: string;
  readonly errorMessage: string;
}

/** A failed stream, and when it is retried. */
export interface FailedStreamRecord extends FailedStream {
  /** How long until the next attempt, by the clock of the database; null: it is parked. */
  readonly retryInMs: number | null;
}
