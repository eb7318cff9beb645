import { ServiceError } from '@svc/core';
import {
  ArchivedBodies,
  type ArchiveFile,
  type ArchiveObstacle,
  type LogPlace,
  type StorageArchive,
} from '@svc/core/storage';
import type { Connection } from './connection.js';
import type { Row } from './engine.js';
import type { SqliteOptions } from './options.js';

/** The capability `archive`: the files with the bodies of old events, and the change that removes these bodies. */
export class SqliteArchive implements StorageArchive {
  /** For the readers of events. */
  readonly bodies: ArchivedBodies;
  readonly #open: () => Promise<Connection>;

  constructor(open: () => Promise<Connection>, { archive }: Pick<SqliteOptions, 'archive'>) {
    this.#open = open;
    this.bodies = new ArchivedBodies(archive ?? null, (number) => this.#find(number));
  }

  use(store: Parameters<StorageArchive['use']>[0]): void {
    this.bodies.use(store);
  }

  async readFiles(): Promise<readonly ArchiveFile[]> {
    const connection = await this.#open();
    return (await connection.unlocked(() => connection.sql.readArchives.all())).map(toFile);
  }

  async findObstacle({ sequence }: LogPlace): Promise<ArchiveObstacle | null> {
    const connection = await this.#open();
    return await connection.unlocked(() => {
      const behind = connection.sql.perspectiveBehind.get(sequence);
      if (behind !== undefined) return { kind: 'perspective', perspective: behind['perspective'] as string };
      const messages = connection.sql.countWaitingEvents.get(sequence)!['messages'] as number;
      return messages === 0 ? null : { kind: 'outbox', messages };
    });
  }

  async commitFile(file: ArchiveFile, sequences: readonly number[]): Promise<void> {
    const connection = await this.#open();
    const { sql } = connection;
    await connection.transaction(() => {
      const { number, name, sha256, events, bytes, firstSequence, lastSequence } = file;
      sql.insertArchive.run(number, name, sha256, events, bytes, firstSequence, lastSequence, Date.now());
      const numbers = JSON.stringify(sequences);
      const { changes } = sql.archiveEvents.run(number, numbers);
      const references = sql.countReferences.get(numbers)!['found'] as number;
      if (Number(changes) + references !== sequences.length) {
        throw new ServiceError(
          'SVC_ARCHIVE_REFUSED',
          `Cannot archive the events of "${name}": only ${changes} of ${sequences.length} have their bodies in the database. Nothing was changed; run svc archive again.`,
        );
      }
    });
  }

  async #find(number: number): Promise<ArchiveFile> {
    const connection = await this.#open();
    const row = await connection.unlocked(() => connection.sql.findArchive.get(number));
    if (row === undefined) {
      throw new ServiceError(
        'SVC_ARCHIVE_DAMAGED',
        `Cannot read archived events: svc_archives has no row with number ${number}. Restore the database from a backup.`,
      );
    }
    return toFile(row);
  }
}

function toFile(row: Row): ArchiveFile {
  return {
    number: row['number'] as number,
    name: row['name'] as string,
    sha256: row['sha256'] as string,
    events: row['events'] as number,
    bytes: row['bytes'] as number,
    firstSequence: row['first_sequence'] as number,
    lastSequence: row['last_sequence'] as number,
  };
}
