/** Rejects changes that belong to the other role of a database with two roles. */
import { ServiceError } from '../errors/index.js';
import type { MigrationRights } from './migration-database.js';
import type { PlannedItem } from './plan.js';

export function isOfTable({ item }: PlannedItem): boolean {
  return item.kind === 'table';
}

/** The runtime role changes the tables of perspectives only, and the owner the infrastructure only. */
export function requireRights(plan: readonly PlannedItem[], rights: MigrationRights): void {
  if (rights === 'perspectives') {
    const missing = plan.filter((planned) => !isOfTable(planned) && planned.action !== 'skip');
    if (missing.length > 0) throw outdated(missing.map(({ item }) => item.key).join(', '));
  }
  if (rights === 'infrastructure' && plan.some(isOfTable)) {
    throw wrongRole(
      'Cannot start a service as the owner of a database with two roles: perspectives belong to the runtime role.',
    );
  }
}

/** What the runtime role has written about its tables must not become statements of the owner. */
export function requireRightsToRollBack(key: string, rights: MigrationRights): void {
  if (rights === 'infrastructure')
    throw wrongRole(
      `Cannot roll back ${key} as the owner of a database with two roles: its table belongs to the runtime role.`,
    );
}

function outdated(items: string): ServiceError {
  return new ServiceError(
    'SVC_SCHEMA_OUTDATED',
    `Cannot start: the schema lacks migrations (${items}), and the database role of this process may not change it. Run svc migrate up as the owner of the schema, then start again.`,
  );
}

function wrongRole(what: string): ServiceError {
  return new ServiceError('SVC_DATABASE_ROLE', `${what} Use the URL of the runtime role.`);
}
