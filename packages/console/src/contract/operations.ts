import { Type, type Static } from 'typebox';
import { Id, OptionalText, OptionalTime, Time } from './common.js';

/** The progress of an operation; null until its host has reported it. */
export const OperationProgress = Type.Object(
  {
    unit: Type.Union([Type.Literal('streams'), Type.Literal('dead letters')]),
    done: Type.Number(),
    total: Type.Number(),
    events: Type.Optional(Type.Number({ description: 'The number of replayed events.' })),
  },
  { additionalProperties: false },
);
export type OperationProgress = Static<typeof OperationProgress>;

/** Work that an operator requested, and a host of the service runs. */
export const RequestedOperation = Type.Object(
  {
    id: Id,
    kind: Type.String({ description: 'What is done, such as perspectives.rebuild.' }),
    target: Type.Union([Type.String(), Type.Null()], { description: 'With what, such as the name of a perspective.' }),
    arguments: Type.Record(Type.String(), Type.Unknown()),
    state: Type.Enum(['waiting', 'running', 'cancelling', 'done', 'failed', 'cancelled', 'expired'], {
      description: 'expired: no host started it in time.',
    }),
    isOpen: Type.Boolean({ description: 'Whether it has not ended.' }),
    isHeld: Type.Boolean({ description: 'Whether a host runs it. False and running: its host was lost.' }),
    requestedBy: Type.String(),
    reason: OptionalText,
    requestedAt: Time,
    startedAt: OptionalTime,
    finishedAt: OptionalTime,
    attempts: Type.Number({ description: 'Above 1 if earlier hosts were lost during the operation.' }),
    progress: Type.Union([OperationProgress, Type.Null()]),
    result: Type.Unknown({ description: 'What it returned; null until it is done.' }),
    error: OptionalText,
  },
  { additionalProperties: false },
);
export type RequestedOperation = Static<typeof RequestedOperation>;

export const OperationList = Type.Object(
  {
    open: Type.Array(RequestedOperation, { description: 'Those that have not ended, the oldest first; at most 100.' }),
    recent: Type.Array(RequestedOperation, { description: 'Those that have ended, the latest first; at most 50.' }),
  },
  { additionalProperties: false },
);
export type OperationList = Static<typeof OperationList>;
