import { Type, type Static } from 'typebox';
import { databaseQuery, Id, OptionalNumber, OptionalText, OptionalTime, Time } from './common.js';
import { Origin } from './events.js';

export const StreamEvent = Type.Object(
  {
    id: Id,
    type: Type.String(),
    position: Type.Number(),
    at: Time,
    userId: OptionalText,
    userName: OptionalText,
    correlationId: Id,
    causationId: OptionalText,
    origin: Type.Union([Origin, Type.Null()], { description: 'Null: it is an event of this service.' }),
    bytes: Type.Number({ description: 'The size of its body.' }),
  },
  { additionalProperties: false },
);
export type StreamEvent = Static<typeof StreamEvent>;

export const StreamSnapshot = Type.Object(
  {
    kind: Type.Enum(['perspective', 'decider']),
    name: Type.String(),
    eventId: Id,
    position: OptionalNumber,
  },
  { additionalProperties: false },
);

export const StreamRewind = Type.Object(
  {
    startedAt: Time,
    completedAt: OptionalTime,
    perspectives: Type.Array(Type.String()),
    triggerEventId: OptionalText,
    eventsReplayed: OptionalNumber,
  },
  { additionalProperties: false },
);

export const StreamQuery = Type.Object(
  {
    first: Type.Optional(Type.Enum(['newest', 'oldest'], { description: 'Default: newest.' })),
    after: Type.Optional(Type.Integer({ minimum: 0, description: 'The `next` of an earlier page.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Default: 50.' })),
    ...databaseQuery,
  },
  { additionalProperties: false },
);

export const Stream = Type.Object(
  {
    id: Id,
    tenantId: OptionalText,
    length: Type.Number({ description: 'How many events it has.' }),
    events: Type.Array(StreamEvent),
    next: Type.Union([Type.Number(), Type.Null()], {
      description: 'The `after` of the next page; null: there are no more events.',
    }),
    snapshots: Type.Array(StreamSnapshot, { description: 'The newest of each perspective and decider.' }),
    rewinds: Type.Array(StreamRewind, { description: 'The newest first, at most 20.' }),
  },
  { additionalProperties: false },
);
export type Stream = Static<typeof Stream>;
