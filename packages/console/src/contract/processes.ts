import { Type, type Static } from 'typebox';
import { databaseQuery, Id, Next, pageQuery, Time } from './common.js';

export const ProcessesQuery = Type.Object(
  {
    ...databaseQuery,
    ...pageQuery,
    open: Type.Optional(Type.Boolean({ description: 'Only instances that have not completed.' })),
  },
  { additionalProperties: false },
);
export type ProcessesQuery = Static<typeof ProcessesQuery>;

const state = Type.Union([Type.Literal('open'), Type.Literal('completed')]);

export const ProcessInstance = Type.Object(
  {
    process: Type.String(),
    key: Type.String(),
    tenant: Type.String({ description: 'Empty: none.' }),
    streamId: Id,
    state,
    events: Type.Number({ description: 'The events that it has processed.' }),
    ignored: Type.Number({ description: 'The events that arrived after it had completed.' }),
    startedAt: Time,
    lastEventAt: Time,
  },
  { additionalProperties: false },
);
export type ProcessInstance = Static<typeof ProcessInstance>;

export const ProcessList = Type.Object(
  { instances: Type.Array(ProcessInstance, { description: 'In the order of their start.' }), next: Next },
  { additionalProperties: false },
);
export type ProcessList = Static<typeof ProcessList>;

export const ProcessPath = Type.Object(
  { process: Type.String({ maxLength: 200 }), key: Type.String({ maxLength: 1000 }) },
  { additionalProperties: false },
);

export const ProcessQuery = Type.Object(
  {
    ...databaseQuery,
    ...pageQuery,
    tenant: Type.Optional(Type.String({ maxLength: 200, description: 'Default: no tenant.' })),
  },
  { additionalProperties: false },
);
export type ProcessQuery = Static<typeof ProcessQuery>;

/** What a process did with an event. Bodies may contain private data, and are not shown. */
export const ProcessAction = Type.Object(
  {
    kind: Type.Enum(['appended', 'invoked', 'sent', 'scheduled', 'timeoutSet', 'timeoutCancelled']),
    type: Type.Optional(Type.String()),
    streamId: Type.Optional(Id),
    name: Type.Optional(Type.String({ description: 'The name of the timeout.' })),
    dueAt: Type.Optional(Time),
    dueAfterMs: Type.Optional(Type.Number()),
  },
  { additionalProperties: false },
);
export type ProcessAction = Static<typeof ProcessAction>;

export const ProcessStep = Type.Object(
  {
    kind: Type.Union([Type.Literal('processed'), Type.Literal('ignored'), Type.Literal('completed')]),
    at: Time,
    correlationId: Id,
    event: Type.Union(
      [
        Type.Object(
          {
            id: Id,
            type: Type.String(),
            streamId: Id,
            at: Time,
            causationId: Type.Union([Id, Type.Null()]),
          },
          { additionalProperties: false },
        ),
        Type.Null(),
      ],
      { description: 'The received event; null for completion, and if it no longer exists.' },
    ),
    actions: Type.Array(ProcessAction),
  },
  { additionalProperties: false },
);
export type ProcessStep = Static<typeof ProcessStep>;

export const ProcessHistory = Type.Object(
  {
    process: Type.String(),
    key: Type.String(),
    tenant: Type.String(),
    streamId: Id,
    steps: Type.Array(ProcessStep, { description: 'In order.' }),
    next: Next,
  },
  { additionalProperties: false },
);
export type ProcessHistory = Static<typeof ProcessHistory>;
