import { MigrationFailureReason, MigrationStatus } from '@svc/core';
import type { MigrationRecord } from '@svc/core/storage';
import { DatabaseQuery, MigrationList, NoParameters, type Migration } from '../contract/index.js';
import { operation, type Operation } from './operation.js';
import { optionalTime, time } from './shown-operation.js';

const listMigrations = operation({
  method: 'GET',
  path: '/migrations',
  summary: 'The parts of the schema, their statuses, and what is left to migrate',
  right: 'read',
  params: NoParameters,
  query: DatabaseQuery,
  body: null,
  response: MigrationList,
  answer: async ({ service }) => {
    const state = await service.administration.migrations.list();
    if (state === null) return { hasSchema: false, migrations: [], pending: [] };
    return {
      hasSchema: true,
      migrations: state.records.map(shownMigration),
      pending: state.pending.flatMap(({ item, description, action }) =>
        action === 'skip' ? [] : [{ key: item.key, description, action }],
      ),
    };
  },
});

export const migrationOperations: readonly Operation[] = [listMigrations];

function shownMigration({ progress, backup, appliedAt, updatedAt, ...rest }: MigrationRecord): Migration {
  const { key, description, status, strategy, failureReason, error, libraryVersion, requiresVersion, durationMs } =
    rest;
  return {
    key,
    description,
    status: nameOf(MigrationStatus, status),
    strategy,
    failureReason: failureReason === null ? null : nameOf(MigrationFailureReason, failureReason),
    error,
    libraryVersion,
    requiresVersion,
    appliedAt: optionalTime(appliedAt),
    updatedAt: time(updatedAt),
    durationMs,
    progress:
      progress === null ? null : { phase: progress.phase, rows: progress.rows, startedAt: time(progress.startedAt) },
    canRollBack: backup !== null,
  };
}

function nameOf(names: Readonly<Record<string, number>>, value: number): string {
  return Object.keys(names).find((name) => names[name] === value) ?? String(value);
}
