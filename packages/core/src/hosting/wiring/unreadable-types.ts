import { ServiceError, withoutStack } from '../../errors/index.js';
import type { Uuid } from '../../json/index.js';
import { ArchiveDamagedError, ArchiveMissingError, type SampledEvent, type StoredRecord } from '../../storage/index.js';
import type { Foundation } from './foundation.js';

type Report = (error: unknown) => void;

/**
 * Reports types of stored events that this service cannot read: those without a class, and those whose class does not accept an event that is stored.
 * Otherwise, nobody would know before a stream stops, or a model lacks something. Reads a bounded part of the log.
 */
export async function reportUnreadableTypes(foundation: Foundation): Promise<void> {
  const { registry, messages, storage, reportOf } = foundation;
  const report = reportOf('perspectives');
  const namespaces = new Set(registry.messages.map(({ type }) => namespaceOf(type)));
  try {
    const sampled = (await storage.connection?.sampleEvents?.()) ?? [];
    const own = sampled.filter(({ type }) => namespaces.has(namespaceOf(type)));
    reportTypesWithoutClass(
      own.map(({ type }) => type).filter((type) => messages.findType(type) === undefined),
      report,
    );
    await reportUnreadable(
      own.filter(({ type }) => messages.findType(type)?.kind === 'event'),
      foundation,
      report,
    );
  } catch {
    // Whatever needs the database next reports that it is unavailable.
  }
}

function reportTypesWithoutClass(types: readonly string[], report: Report): void {
  if (types.length === 0) return;
  const names = [...new Set(types)].toSorted().join(', ');
  report(
    withoutStack(
      new ServiceError(
        'SVC_UNKNOWN_MESSAGE',
        `The log has events of types that no class of this service has: ${names}. Perspectives and reactions skip them, and deciders fail. Their classes were renamed, moved to another namespace or removed, or a newer version of the service has stored them. Write @storedAs with the type above each new class, or restore the classes and the namespace in package.json, then run "svc generate".`,
      ),
    ),
  );
}

/** Reports one unreadable event of each type. */
async function reportUnreadable(sampled: readonly SampledEvent[], { log }: Foundation, report: Report): Promise<void> {
  const reported = new Set<string>();
  for (const { type, id } of sampled) {
    if (reported.has(type)) continue;
    let record: StoredRecord | null;
    try {
      record = await log.findRecord(id);
    } catch (error) {
      // Other events of the file would fail in the same way.
      if (error instanceof ArchiveMissingError || error instanceof ArchiveDamagedError) report(withoutStack(error));
      throw error;
    }
    try {
      if (record !== null) log.toEvent(record);
    } catch (error) {
      reported.add(type);
      report(error instanceof ServiceError ? withoutStack(unreadable(id, error)) : error);
    }
  }
}

function unreadable(id: Uuid, error: ServiceError): ServiceError {
  return new ServiceError(
    error.code,
    `The log has events that this service cannot read, such as ${id}. Streams with such events stop in perspectives and reactions, and deciders fail. ${error.message}`,
  );
}

function namespaceOf(type: string): string {
  return type.slice(0, Math.max(type.lastIndexOf('.'), 0));
}
