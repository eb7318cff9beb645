import { ServiceError, withoutStack } from '../../errors/index.js';
import {
  ArchiveDamagedError,
  ArchiveMissingError,
  type EventLog,
  type SampledEvent,
  type StoredRecord,
} from '../../storage/index.js';
import type { Foundation } from './foundation.js';

type Report = (error: unknown) => void;

/**
 * Reports types of stored events that this service cannot read completely: those without a class, and those whose class does not accept an event that is
 * stored, or lacks properties of it. Without the report, operators would notice it only when a stream stops or a model is incomplete. Reads a bounded
 * part of the log.
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
    const flaw = record === null ? null : flawOf(record, log);
    if (flaw === null) continue;
    reported.add(type);
    report(withoutStack(flaw));
  }
}

/** What an event lets a report say; null: the service reads all of it. */
function flawOf(record: StoredRecord, log: EventLog): ServiceError | null {
  const unreadable = failureOf(() => log.toEvent(record));
  if (unreadable !== null) {
    return new ServiceError(
      unreadable.code,
      `The log has events that this service cannot read, such as ${record.id}. Streams with such events stop in perspectives and reactions, and deciders fail. ${unreadable.message}`,
    );
  }
  const unknown = failureOf(() => log.requireKnown(record));
  if (unknown === null) return null;
  return new ServiceError(
    'SVC_STORED_PROPERTY_UNKNOWN',
    `The log has events with properties that their class does not have, such as ${record.id}. svc ignores these properties. A newer version of the service has stored them, or they were renamed or removed: then declare an eventVersion with upcasters. ${unknown.message}`,
  );
}

function failureOf(read: () => unknown): ServiceError | null {
  try {
    read();
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

function namespaceOf(type: string): string {
  return type.slice(0, Math.max(type.lastIndexOf('.'), 0));
}
