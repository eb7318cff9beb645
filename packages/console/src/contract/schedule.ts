import { Type, type Static } from 'typebox';
import { databaseQuery, Id, Next, OptionalText, pageQuery, Time } from './common.js';

export const ScheduleQuery = Type.Object(
  {
    ...databaseQuery,
    ...pageQuery,
    tenant: Type.Optional(
      Type.String({ maxLength: 200, description: 'Only commands of this tenant; empty: of none.' }),
    ),
  },
  { additionalProperties: false },
);
export type ScheduleQuery = Static<typeof ScheduleQuery>;

/** A command that runs later. Its body may contain private data, and is not shown. */
export const ScheduledCommand = Type.Object(
  {
    id: Id,
    type: Type.String(),
    dueAt: Time,
    key: OptionalText,
    isRecurring: Type.Boolean({ description: 'Recurring commands can be run, but not cancelled.' }),
    tenant: Type.String({ description: 'Empty: none.' }),
    correlationId: Id,
    attempts: Type.Number(),
    state: Type.Union([Type.Literal('waiting'), Type.Literal('running'), Type.Literal('retrying')]),
  },
  { additionalProperties: false },
);
export type ScheduledCommand = Static<typeof ScheduledCommand>;

export const ScheduleList = Type.Object(
  { commands: Type.Array(ScheduledCommand, { description: 'In the order of their due times.' }), next: Next },
  { additionalProperties: false },
);
export type ScheduleList = Static<typeof ScheduleList>;

export const ChangedCommand = Type.Object(
  { id: Id, type: Type.String(), state: Type.Union([Type.Literal('cancelled'), Type.Literal('due')]) },
  { additionalProperties: false },
);
export type ChangedCommand = Static<typeof ChangedCommand>;
