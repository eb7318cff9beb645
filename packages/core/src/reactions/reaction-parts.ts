import type { DeferredSignal } from '../dispatch/index.js';
import type { EventLog, FailedStream, ParsedRecord, StorageReactions, StoredRecord } from '../storage/index.js';
import type { FailedAttempt } from './failed-attempt.js';
import type { NamedReaction } from './named-reaction.js';

/** An event as the log or its stream has it. */
export type AnyRecord = StoredRecord | ParsedRecord;

/** What a reaction needs from its host. */
export interface ReactionParts {
  readonly log: EventLog;
  readonly storage: StorageReactions;
  /** Runs the reaction for an event and commits its changes. Null: the event is processed. */
  readonly react: (named: NamedReaction, record: AnyRecord, run: ReactionAttempt) => Promise<FailedAttempt | null>;
  /** Called before a stream is parked. */
  readonly parked: (named: NamedReaction, record: AnyRecord, failure: FailedStream) => Promise<void>;
  /** Receives failures for the log. */
  readonly report: (error: unknown) => void;
  /** Called when there may be something to read or to retry. */
  readonly wake: () => void;
}

/** An attempt to process an event. */
export interface ReactionAttempt {
  /** The segment of the stream, and its term. */
  readonly segment: number;
  readonly term: number;
  readonly attempt: number;
  /** Aborts when the term ends on this host. */
  readonly signal: DeferredSignal;
}
