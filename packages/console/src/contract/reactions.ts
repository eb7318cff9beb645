import { Type, type Static } from 'typebox';
import { Id, Next, OptionalNumber, OptionalTime, Reason, Time } from './common.js';

export const ReactionSummary = Type.Object(
  {
    name: Type.String(),
    sequence: Type.Number({
      description: 'Its place: the sequence number up to which events are processed; -1: none.',
    }),
    behind: Type.Number({ description: 'The events of the log after its place, counted up to 10,000.' }),
    oldestWaiting: OptionalTime,
    waiting: Type.Number({ description: 'The failed streams that wait for a retry.' }),
    parked: Type.Number({ description: 'The failed streams that wait for an operator.' }),
    isPaused: Type.Boolean(),
    startedAt: Time,
    startedAfter: Type.Number({ description: 'The place at which it started for the first time.' }),
    hosts: Type.Array(Type.String(), { description: 'The hosts that run it.' }),
  },
  { additionalProperties: false },
);
export type ReactionSummary = Static<typeof ReactionSummary>;

export const ReactionList = Type.Object({ reactions: Type.Array(ReactionSummary) }, { additionalProperties: false });
export type ReactionList = Static<typeof ReactionList>;

/** A stream whose events wait, because the reaction failed at one of them. */
export const FailedStream = Type.Object(
  {
    streamId: Id,
    position: Type.Number(),
    eventId: Id,
    attempts: Type.Number(),
    retryInMs: Type.Unsafe<number | null>({ ...OptionalNumber, description: 'Null: it is parked.' }),
    errorName: Type.String(),
    errorMessage: Type.String(),
  },
  { additionalProperties: false },
);
export type FailedStream = Static<typeof FailedStream>;

export const ReactionDetails = Type.Object(
  {
    reaction: ReactionSummary,
    failedStreams: Type.Array(FailedStream, { description: 'In the order of their ids.' }),
    next: Next,
  },
  { additionalProperties: false },
);
export type ReactionDetails = Static<typeof ReactionDetails>;

export const RetryReactionBody = Type.Object(
  { stream: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'Absent: all failed streams.' })), reason: Reason },
  { additionalProperties: false },
);
export type RetryReactionBody = Static<typeof RetryReactionBody>;

export const SkipReactionBody = Type.Object({ stream: Id, reason: Reason }, { additionalProperties: false });
export type SkipReactionBody = Static<typeof SkipReactionBody>;

export const RetriedReaction = Type.Object(
  { retried: Type.Number({ description: 'The number of streams that are retried now.' }) },
  { additionalProperties: false },
);
export type RetriedReaction = Static<typeof RetriedReaction>;

export const SkippedEvent = Type.Object(
  { skipped: Type.Unsafe<string>({ ...Id, description: 'The stream that continues with its next event.' }) },
  { additionalProperties: false },
);
export type SkippedEvent = Static<typeof SkippedEvent>;

export const PausedReaction = Type.Object({ isPaused: Type.Boolean() }, { additionalProperties: false });
export type PausedReaction = Static<typeof PausedReaction>;
