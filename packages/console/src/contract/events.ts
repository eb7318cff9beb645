import { Type, type Static } from 'typebox';
import { AuditCause, AuditEntry } from './audit.js';
import { Document, Id, OptionalText, Time } from './common.js';

const pointers = (description: string) => Type.Array(Type.String(), { description: `${description} JSON Pointers.` });

/** The body of an event. Values of erased subjects are null, and secrets are the text `[secret]`. */
export const EventBody = Type.Object(
  {
    ...Document.properties,
    personal: pointers('The personal values.'),
    erased: pointers('The personal values whose subject was erased.'),
    secret: pointers('The values that were never stored, because they are secrets.'),
  },
  { additionalProperties: false },
);
export type EventBody = Static<typeof EventBody>;

export const Origin = Type.Object(
  {
    host: Type.String({ description: 'The host that has sent the event.' }),
    isProven: Type.Boolean({ description: 'False: the message only claims it.' }),
  },
  { additionalProperties: false },
);

/** An event, with who caused it and what. */
export const EventDetails = Type.Object(
  {
    id: Id,
    type: Type.String(),
    streamId: Id,
    position: Type.Number(),
    isSystem: Type.Boolean({ description: 'Whether it is a record of the system stream.' }),
    at: Time,
    tenantId: OptionalText,
    correlationId: Id,
    causationId: OptionalText,
    scope: Type.Record(Type.String(), OptionalText, { description: 'The security context in which it was appended.' }),
    origin: Type.Union([Origin, Type.Null()], { description: 'Null: it is an event of this service.' }),
    traceId: OptionalText,
    metadata: Type.Record(Type.String(), Type.Unknown()),
    audit: Type.Union([AuditEntry, Type.Null()], { description: 'Its audit record; null: it is not audited.' }),
    cause: Type.Union([AuditCause, Type.Null()]),
    command: Type.Union([AuditEntry, Type.Null()], {
      description: 'The audit record of the command that appended it; null: it is not audited.',
    }),
    body: EventBody,
  },
  { additionalProperties: false },
);
export type EventDetails = Static<typeof EventDetails>;
