import { StorageUnavailableError, type DatabaseAccess, type Storage } from '../storage/index.js';
import { HealthStatus, type HealthCheck, type HealthResult } from './health-check.js';

/** Whether the database of a storage answers, when it has one to ask. */
export function relationalDbChecks({ connection }: Pick<Storage, 'connection'>): readonly HealthCheck[] {
  if (connection === undefined) return [];
  const check = async (): Promise<HealthResult> => {
    try {
      await connection.ping();
      return resultOf(connection.access?.() ?? null);
    } catch (error) {
      if (error instanceof StorageUnavailableError && error.reason === 'went-back')
        return { status: HealthStatus.Unhealthy, description: error.message };
      // What was thrown may name hosts and users. Commands that fail for the same reason tell the log.
      return { status: HealthStatus.Unhealthy, description: 'The database does not answer.' };
    }
  };
  return [{ name: 'svc_relational_db', tags: [], check }];
}

/** A single role is a choice for trials. In a database with two roles, a role that can change history is a mistake. */
function resultOf(access: DatabaseAccess | null): HealthResult {
  if (access === null) return { status: HealthStatus.Healthy };
  const { roles, waysToChangeHistory: ways } = access;
  const data = { roles, canChangeHistory: ways.length > 0 };
  if (ways.length === 0 || roles === 'single') return { status: HealthStatus.Healthy, data };
  const description = `The database role of this service can change stored events: ${ways.join(', ')}.`;
  return { status: HealthStatus.Degraded, description, data };
}
