import { StorageUnavailableError, type Storage } from '../storage/index.js';
import { HealthStatus, type HealthCheck, type HealthResult } from './health-check.js';

/** Whether the database of a storage answers, when it has one to ask. */
export function relationalDbChecks({ connection }: Pick<Storage, 'connection'>): readonly HealthCheck[] {
  if (connection === undefined) return [];
  const check = async (): Promise<HealthResult> => {
    try {
      await connection.ping();
      return { status: HealthStatus.Healthy };
    } catch (error) {
      if (error instanceof StorageUnavailableError && error.reason === 'went-back')
        return { status: HealthStatus.Unhealthy, description: error.message };
      // What was thrown may name hosts and users. Commands that fail for the same reason tell the log.
      return { status: HealthStatus.Unhealthy, description: 'The database does not answer.' };
    }
  };
  return [{ name: 'svc_relational_db', tags: [], check }];
}
