import { ServiceError, withoutStack } from '../../errors/index.js';
import type { Foundation } from './foundation.js';

/**
 * Reports types of stored events that no class of this service has any more. Perspectives skip such events, so that models would lack them without
 * a report. The storage reads a bounded part of the log.
 */
export async function reportTypesWithoutClass({ registry, messages, storage, reportOf }: Foundation): Promise<void> {
  let stored: readonly string[];
  try {
    stored = (await storage.connection?.eventTypes?.()) ?? [];
  } catch {
    // Whatever needs the database next reports that it is unavailable.
    return;
  }
  const namespaces = new Set(registry.messages.map(({ type }) => namespaceOf(type)));
  const unknown = stored.filter((type) => namespaces.has(namespaceOf(type)) && messages.findType(type) === undefined);
  if (unknown.length === 0) return;
  reportOf('perspectives')(
    withoutStack(
      new ServiceError(
        'SVC_UNKNOWN_MESSAGE',
        `The log has events of types that no class of this service has: ${unknown.toSorted().join(', ')}. Perspectives and reactions skip them, and deciders fail. Their classes were renamed, moved to another namespace or removed, or a newer version of the service has stored them. Write @storedAs with the type above each new class, or restore the classes and the namespace in package.json, then run "svc generate".`,
      ),
    ),
  );
}

function namespaceOf(type: string): string {
  return type.slice(0, Math.max(type.lastIndexOf('.'), 0));
}
