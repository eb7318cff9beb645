import { Type, type Static } from 'typebox';
import { databaseQuery, Id, OptionalNumber, OptionalText, Time } from './common.js';

export const AuditKind = Type.Enum(['event', 'command', 'denial', 'grant', 'failure', 'system'], {
  description: 'What the entry is about. `system`: any other system event.',
});

export const AuditLevel = Type.Enum(['Info', 'Warning', 'Critical']);

export const AuditCause = Type.Object(
  {
    id: Type.String(),
    kind: Type.Union([Type.Enum(['command', 'event']), Type.Null()], {
      description: 'Null: it was not audited, or belongs to another host.',
    }),
    type: OptionalText,
  },
  { additionalProperties: false },
);

export const AuditEntry = Type.Object(
  {
    id: Type.String({ description: 'The id of the audit record.' }),
    kind: AuditKind,
    type: Type.String({ description: 'The type of the event, command or system event.' }),
    messageId: Type.Union([Type.String(), Type.Null()], { description: 'The id of the event or command.' }),
    streamId: OptionalText,
    position: OptionalNumber,
    about: Type.Union([Type.String(), Type.Null()], {
      description: 'What a system event is about, such as the operation and its target.',
    }),
    resourceType: OptionalText,
    resourceId: OptionalText,
    at: Time,
    userId: OptionalText,
    userName: OptionalText,
    tenantId: OptionalText,
    homeTenantId: OptionalText,
    roles: Type.Array(Type.String()),
    level: Type.Union([AuditLevel, Type.Null()]),
    reason: OptionalText,
    auditReason: OptionalText,
    result: Type.Enum(['succeeded', 'denied', 'granted', 'failed']),
    responseType: OptionalText,
    correlationId: Type.String(),
    cause: Type.Union([AuditCause, Type.Null()]),
  },
  { additionalProperties: false },
);
export type AuditEntry = Static<typeof AuditEntry>;

const value = Type.String({ maxLength: 1_000 });

/** The conditions of an audit query. All given ones apply. */
const conditions = {
  /** The id of an event or command. */
  message: Type.Optional(Id),
  /** The id of a stream. */
  resource: Type.Optional(Id),
  correlation: Type.Optional(Id),
  tenant: Type.Optional(value),
  user: Type.Optional(value),
  type: Type.Optional(
    Type.Union([value, Type.Array(value, { maxItems: 50 })], { description: 'A type. Repeat it for several.' }),
  ),
  level: Type.Optional(AuditLevel),
  from: Type.Optional(Type.String({ maxLength: 40, description: 'The earliest time: a date, or RFC 3339.' })),
  to: Type.Optional(Type.String({ maxLength: 40, description: 'The time before which all records are.' })),
  first: Type.Optional(Type.Enum(['newest', 'oldest'])),
  ...databaseQuery,
};

export const AuditQuery = Type.Object(
  {
    ...conditions,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Default: 20.' })),
    after: Type.Optional(
      Type.String({
        maxLength: 16_000,
        description: 'The `next` of an earlier page of the same query. It has the filters.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type AuditQuery = Static<typeof AuditQuery>;

export const AuditPage = Type.Object(
  {
    entries: Type.Array(AuditEntry),
    next: Type.Union([Type.String(), Type.Null()], { description: 'Null: there are no more records.' }),
  },
  { additionalProperties: false },
);
export type AuditPage = Static<typeof AuditPage>;

export const AuditExportQuery = Type.Object(
  {
    ...conditions,
    format: Type.Optional(Type.Enum(['csv', 'ndjson'], { description: 'Default: csv.' })),
  },
  { additionalProperties: false },
);
export type AuditExportQuery = Static<typeof AuditExportQuery>;
