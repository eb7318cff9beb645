import { Type, type Static } from 'typebox';
import { OptionalText, OptionalTime, Time } from './common.js';

/** A part of the schema, and its status. */
export const Migration = Type.Object(
  {
    key: Type.String({ description: 'Such as infrastructure/events.' }),
    description: Type.String(),
    status: Type.String({ description: 'Applied, Updated, Skipped, Failed, MigratingInBackground and so on.' }),
    strategy: Type.String(),
    failureReason: OptionalText,
    error: OptionalText,
    libraryVersion: Type.String({ description: 'The version of svc that set the status.' }),
    requiresVersion: OptionalText,
    appliedAt: OptionalTime,
    updatedAt: Time,
    durationMs: Type.Number(),
    progress: Type.Union(
      [
        Type.Object(
          {
            phase: Type.Union([
              Type.Literal('prepare'),
              Type.Literal('copy'),
              Type.Literal('catchUp'),
              Type.Literal('replay'),
            ]),
            rows: Type.Number({ description: 'The rows that are copied.' }),
            startedAt: Time,
          },
          { additionalProperties: false },
        ),
        Type.Null(),
      ],
      { description: 'The progress in the background; null: nothing runs there.' },
    ),
    canRollBack: Type.Boolean({ description: 'Whether a backup of the previous table exists.' }),
  },
  { additionalProperties: false },
);
export type Migration = Static<typeof Migration>;

export const PendingMigration = Type.Object(
  {
    key: Type.String(),
    description: Type.String(),
    action: Type.Union([Type.Literal('apply'), Type.Literal('rewrite'), Type.Literal('refuse')], {
      description: 'refuse: it cannot be migrated as it is.',
    }),
  },
  { additionalProperties: false },
);
export type PendingMigration = Static<typeof PendingMigration>;

export const MigrationList = Type.Object(
  {
    hasSchema: Type.Boolean({ description: 'False: the storage has no schema, so it has no migrations.' }),
    migrations: Type.Array(Migration),
    pending: Type.Array(PendingMigration, { description: 'The items that have never run, or must run again.' }),
  },
  { additionalProperties: false },
);
export type MigrationList = Static<typeof MigrationList>;
