import { Type, type Static } from 'typebox';
import { AuditEntry } from './audit.js';
import { databaseQuery, OptionalText, OptionalTime, Time } from './common.js';

const count = Type.Number();

export const DenialsQuery = Type.Object(
  {
    from: Type.Optional(
      Type.String({ maxLength: 40, description: 'A date, or RFC 3339. Default: 24 hours before `to`.' }),
    ),
    to: Type.Optional(Type.String({ maxLength: 40, description: 'Default: now.' })),
    ...databaseQuery,
  },
  { additionalProperties: false },
);

/** Denied access in a time range. */
export const Denials = Type.Object(
  {
    from: Time,
    to: Time,
    total: count,
    intervalMs: Type.Number({ description: 'The length of an interval of `counts`.' }),
    counts: Type.Array(count, { description: 'The denials of each interval, from `from` on.' }),
    byUser: Type.Array(
      Type.Object({ userId: OptionalText, tenantId: OptionalText, count }, { additionalProperties: false }),
    ),
    byPermission: Type.Array(Type.Object({ permission: Type.String(), count }, { additionalProperties: false })),
    byResource: Type.Array(
      Type.Object({ resourceType: Type.String(), resourceId: OptionalText, count }, { additionalProperties: false }),
    ),
    newest: Type.Array(AuditEntry, { description: 'At most 50.' }),
    isComplete: Type.Boolean({
      description: 'False: there are more denials than were counted, before the oldest of these.',
    }),
  },
  { additionalProperties: false },
);
export type Denials = Static<typeof Denials>;

export const RolesQuery = Type.Object(
  {
    user: Type.Optional(Type.String({ maxLength: 1_000 })),
    tenant: Type.Optional(Type.String({ maxLength: 1_000 })),
    ...databaseQuery,
  },
  { additionalProperties: false },
);

/** The roles and permissions of a user, when it last authenticated. */
export const UserAccess = Type.Object(
  {
    userId: OptionalText,
    tenantId: OptionalText,
    roles: Type.Array(Type.String()),
    permissions: Type.Array(Type.String()),
    source: Type.Union([Type.String(), Type.Null()], {
      description: 'Where they come from, such as a token or a key.',
    }),
    seenAt: OptionalTime,
    changedAt: Type.Union([Time, Type.Null()], { description: 'The last `PermissionChanged` of the user.' }),
    changedBy: OptionalText,
  },
  { additionalProperties: false },
);
export type UserAccess = Static<typeof UserAccess>;

export const Roles = Type.Object(
  {
    users: Type.Array(UserAccess, { description: 'Those that authenticated last are first, at most 200.' }),
    isComplete: Type.Boolean({ description: 'False: there are further users, or older records.' }),
  },
  { additionalProperties: false },
);
export type Roles = Static<typeof Roles>;
