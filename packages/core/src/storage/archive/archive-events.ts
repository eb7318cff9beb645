import type { ArchiveObstacle, StorageArchive } from '../capabilities/archive.js';
import { leasesOf, type StorageLeases } from '../capabilities/leases.js';
import type { StoredRecord } from '../event-record.js';
import { ArchiveDamagedError, ArchiveRefusedError } from './archive-error.js';
import { decodeArchive, encodeArchive, isSameRecord, type ArchiveFile } from './archive-file.js';
import type { ArchiveStore } from './archive-store.js';

/** A file ends with the event that reaches one of these. A reader of one event reads its whole file. */
export const eventsPerFile = 10_000;
const charactersPerFile = 8_000_000;

const lane = 'archiving';

/** The part of a storage that archiving needs. */
export interface ArchivableStorage {
  readonly archive?: StorageArchive;
  readonly leases?: StorageLeases;
  readAll(afterSequence?: number): AsyncIterable<StoredRecord>;
}

export interface ArchiveOptions {
  /** Archives the events up to the first one, in the order of the log, that is not older than this. */
  readonly before: Date;
  /** Called with every committed file. */
  readonly onFile?: (file: ArchiveFile) => void;
}

/**
 * Moves the bodies of old events into files. A file is written, read back and compared, and then recorded in the transaction that removes the
 * bodies. Interrupted at any point, the next call continues after the last recorded file. Returns the files that were recorded.
 *
 * Throws an `ArchiveRefusedError` at the first file with an event that a perspective has not processed or that waits in the outbox.
 */
export async function archiveEvents(
  storage: ArchivableStorage,
  store: ArchiveStore,
  { before, onFile }: ArchiveOptions,
): Promise<readonly ArchiveFile[]> {
  const { archive } = storage;
  if (archive === undefined) throw new ArchiveRefusedError('this storage cannot archive events.');
  const leases = leasesOf(storage);
  await requireLease(leases);
  const committed: ArchiveFile[] = [];
  try {
    const files = await archive.readFiles();
    await requireFiles(store, files);
    const last = files.at(-1);
    let number = (last?.number ?? 0) + 1;
    for await (const records of chunksOf(storage.readAll(last?.lastSequence ?? -1), before.getTime())) {
      await requireLease(leases);
      const obstacle = await archive.findObstacle(records.at(-1)!);
      if (obstacle !== null) throw new ArchiveRefusedError(textOf(obstacle));
      const file = await writeVerified(store, number++, records);
      await archive.commitFile(
        file,
        records.map(({ sequence }) => sequence),
      );
      committed.push(file);
      onFile?.(file);
    }
  } finally {
    await leases.release(lane);
  }
  return committed;
}

/** Writes a file and reads it back. Throws unless every event is in it as it is in the database. */
async function writeVerified(
  store: ArchiveStore,
  number: number,
  records: readonly StoredRecord[],
): Promise<ArchiveFile> {
  const { file, content } = await encodeArchive(number, records);
  await store.write(file.name, content);
  const stored = await decodeArchive(file, await store.read(file.name), store.where);
  const isComplete = stored.length === records.length && records.every((record, i) => isSameRecord(record, stored[i]!));
  if (!isComplete) throw new ArchiveDamagedError(file, store.where, 'it differs from the events in the database');
  return file;
}

/** The events before a time, one array for each file. */
async function* chunksOf(
  records: AsyncIterable<StoredRecord>,
  beforeMs: number,
): AsyncIterable<readonly StoredRecord[]> {
  let chunk: StoredRecord[] = [];
  let characters = 0;
  for await (const record of records) {
    if (record.timestamp >= beforeMs) break;
    chunk.push(record);
    characters += record.body.length;
    if (chunk.length < eventsPerFile && characters < charactersPerFile) continue;
    yield chunk;
    chunk = [];
    characters = 0;
  }
  if (chunk.length > 0) yield chunk;
}

/** Services read from one store, so all files must be in it. */
async function requireFiles(store: ArchiveStore, files: readonly ArchiveFile[]): Promise<void> {
  const stored = new Set(await store.list());
  const missing = files.find(({ name }) => !stored.has(name));
  if (missing === undefined) return;
  throw new ArchiveRefusedError(
    `the file "${missing.name}" of an earlier run is not in ${store.where}. Archive to the same place each time.`,
  );
}

async function requireLease(leases: StorageLeases): Promise<void> {
  if (await leases.hold(lane)) return;
  throw new ArchiveRefusedError('another process archives events of this database. Wait until it has ended.');
}

function textOf(obstacle: ArchiveObstacle): string {
  return obstacle.kind === 'perspective'
    ? `the perspective ${obstacle.perspective} has not processed them. Wait until it has caught up: svc perspectives list shows its lag. If no version of the service has it any more, remove its models: svc perspectives remove ${obstacle.perspective} --reason "…".`
    : `${obstacle.messages === 1 ? '1 message about them waits' : `${obstacle.messages} messages about them wait`} in the outbox. Start a host of the service to deliver them.`;
}
