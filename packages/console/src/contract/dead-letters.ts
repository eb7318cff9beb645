import { Type, type Static } from 'typebox';
import { databaseQuery, Id, Next, OptionalText, pageQuery, Reason, Time } from './common.js';
import { RequestedOperation } from './operations.js';

const Direction = Type.Union([Type.Literal('incoming'), Type.Literal('outgoing'), Type.Literal('scheduled')]);

const Cause = Type.String({ maxLength: 50, description: 'Why, such as Unreadable or AttemptsExhausted.' });

export const DeadLettersQuery = Type.Object(
  { ...databaseQuery, ...pageQuery, direction: Type.Optional(Direction), cause: Type.Optional(Cause) },
  { additionalProperties: false },
);
export type DeadLettersQuery = Static<typeof DeadLettersQuery>;

/** A message that could not be delivered or processed. Its error may quote its body, and is shown with it. */
export const DeadLetterSummary = Type.Object(
  {
    id: Id,
    direction: Direction,
    cause: Cause,
    destination: Type.String({ description: 'The topic or inbox; of a scheduled command, its key, or empty.' }),
    origin: Type.String({ description: 'The host that published or ran it; of an incoming message, as it claims.' }),
    provenOrigin: OptionalText,
    messageId: Id,
    messageType: Type.String(),
    streamId: Id,
    tenant: Type.String({ description: 'Empty: none.' }),
    correlationId: Id,
    errorName: Type.String(),
    attempts: Type.Number(),
    firstFailedAt: Time,
    lastFailedAt: Time,
    isEditable: Type.Boolean({
      description: 'False: it is an outgoing event, which is in the log and cannot change.',
    }),
  },
  { additionalProperties: false },
);
export type DeadLetterSummary = Static<typeof DeadLetterSummary>;

export const DeadLetterList = Type.Object(
  { deadLetters: Type.Array(DeadLetterSummary, { description: 'The oldest first.' }), next: Next },
  { additionalProperties: false },
);
export type DeadLetterList = Static<typeof DeadLetterList>;

export const DeadLetterDetails = Type.Object(
  {
    deadLetter: DeadLetterSummary,
    errorMessage: Type.String(),
    message: Type.Object(
      {
        timestamp: Time,
        causationId: Type.Union([Id, Type.Null()]),
        scope: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
        metadata: Type.Record(Type.String(), Type.Unknown()),
        body: Type.String({ description: 'JSON as a text, so that numbers are exact; at most 1,000,000 characters.' }),
        isTruncated: Type.Boolean({ description: 'Whether the body is longer than the text.' }),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);
export type DeadLetterDetails = Static<typeof DeadLetterDetails>;

const Ids = Type.Array(Id, { minItems: 1, maxItems: 200, uniqueItems: true });

export const ReplayBody = Type.Object(
  {
    ids: Type.Optional(Ids),
    direction: Type.Optional(Direction),
    cause: Type.Optional(Cause),
    reason: Type.Optional(Reason),
  },
  {
    additionalProperties: false,
    description: 'The ids of dead letters. Without ids: all that have the direction and the cause, in an operation.',
  },
);
export type ReplayBody = Static<typeof ReplayBody>;

export const DiscardBody = Type.Object(
  { ids: Type.Optional(Ids), cause: Type.Optional(Cause), reason: Reason },
  {
    additionalProperties: false,
    description: 'The ids of dead letters, or a cause. With a cause: all that have it, in an operation.',
  },
);
export type DiscardBody = Static<typeof DiscardBody>;

/** The outcome for dead letters that were named by their ids, or the operation that processes all of a kind. */
export const ChangedDeadLetters = Type.Object(
  {
    changed: Type.Number({ description: 'How many were replayed or discarded.' }),
    failed: Type.Array(Type.Object({ id: Id, error: Type.String() }, { additionalProperties: false })),
    operation: Type.Union([RequestedOperation, Type.Null()], { description: 'Null: ids were given.' }),
  },
  { additionalProperties: false },
);
export type ChangedDeadLetters = Static<typeof ChangedDeadLetters>;

export const EditBody = Type.Object(
  {
    body: Type.String({ minLength: 1, maxLength: 1_000_000, description: 'The new body: JSON as a text.' }),
    reason: Reason,
  },
  { additionalProperties: false },
);
export type EditBody = Static<typeof EditBody>;

export const EditedDeadLetter = Type.Object(
  { messageId: Type.Unsafe<string>({ ...Id, description: 'The id of the new message.' }) },
  { additionalProperties: false },
);
export type EditedDeadLetter = Static<typeof EditedDeadLetter>;
