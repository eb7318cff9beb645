import { ServiceError, withoutStack } from '../../errors/index.js';
import type { ScheduleStorage } from '../../storage/index.js';

/** Reports types of scheduled commands that this host cannot run: they wait for another host, perhaps forever. */
export async function reportTypesWithoutReceptor(
  schedule: ScheduleStorage,
  types: readonly string[],
  report: (error: unknown) => void,
): Promise<void> {
  let stored: readonly string[];
  try {
    stored = await schedule.readTypes();
  } catch {
    // Whatever needs the database next reports that it is unavailable.
    return;
  }
  const unknown = stored.filter((type) => !types.includes(type));
  if (unknown.length === 0) return;
  report(
    withoutStack(
      new ServiceError(
        'SVC_UNKNOWN_MESSAGE',
        `Commands are scheduled whose types have no receptor in this service: ${unknown.toSorted().join(', ')}. They wait until a host with such a receptor runs. Their classes were renamed, moved to another namespace or removed, or another version of the service has scheduled them. Write @storedAs with the type above each new class, then run "svc generate"; or remove the commands with "svc schedule cancel".`,
      ),
    ),
  );
}
