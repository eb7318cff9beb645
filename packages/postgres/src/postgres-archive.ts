import { ServiceError } from '@svc/core';
import {
  ArchivedBodies,
  type ArchiveFile,
  type ArchiveObstacle,
  type LogPlace,
  type StorageArchive,
} from '@svc/core/storage';
import type { Pool } from 'pg';
import { isReference } from './audit-references.js';
import { isForbidden } from './failures.js';
import type { Reader } from './reader.js';
import type { Row } from './row.js';
import type { Settings } from './options.js';
import { inTransaction } from './transaction.js';

/** The capability `archive`: the files with the bodies of old events, and the change that removes these bodies. */
export class PostgresArchive implements StorageArchive {
  /** For the readers of events. */
  readonly bodies: ArchivedBodies;
  readonly #reader: Reader;
  readonly #pool: Pool;
  readonly #open: () => Promise<void>;

  constructor(reader: Reader, pool: Pool, open: () => Promise<void>, { archive }: Pick<Settings, 'archive'>) {
    this.#reader = reader;
    this.#pool = pool;
    this.#open = open;
    this.bodies = new ArchivedBodies(archive ?? null, (number) => this.#find(number));
  }

  use(store: Parameters<StorageArchive['use']>[0]): void {
    this.bodies.use(store);
  }

  async readFiles(): Promise<readonly ArchiveFile[]> {
    await this.#open();
    const rows = await this.#reader.rows('svc-archives', `SELECT ${columns} FROM svc_archives ORDER BY number`);
    return rows.map(toFile);
  }

  async findObstacle({ sequence, transaction = 0 }: LogPlace): Promise<ArchiveObstacle | null> {
    await this.#open();
    const [behind] = await this.#reader.rows('svc-archive-behind', behindStatement, [transaction, sequence]);
    if (behind !== undefined) return { kind: 'perspective', perspective: behind['perspective']! };
    const [waiting] = await this.#reader.rows('svc-archive-waiting', waitingStatement, [transaction, sequence]);
    const messages = Number(waiting!['messages']);
    return messages === 0 ? null : { kind: 'outbox', messages };
  }

  async commitFile(file: ArchiveFile, sequences: readonly number[]): Promise<void> {
    await this.#open();
    await inTransaction(this.#pool, async (client) => {
      const { number, name, sha256, events, bytes, firstSequence, lastSequence } = file;
      const row = [number, name, sha256, events, bytes, firstSequence, lastSequence];
      await client.query(insertStatement, row).catch((error: unknown) => {
        throw isForbidden(error) ? ofRuntime(name, error) : error;
      });
      const values = [number, sequences.map(String)];
      const { rowCount } = await client.query(archiveStatement, values);
      const { rows } = await client.query<{ found: string }>(referencesStatement, values.slice(1));
      if (Number(rowCount) + Number(rows[0]!.found) !== sequences.length) {
        throw new ServiceError(
          'SVC_ARCHIVE_REFUSED',
          `Cannot archive the events of "${name}": only ${rowCount} of ${sequences.length} have their bodies in the database. Nothing was changed; run svc archive again.`,
        );
      }
    });
  }

  async #find(number: number): Promise<ArchiveFile> {
    const sql = `SELECT ${columns} FROM svc_archives WHERE number = $1`;
    const [row] = await this.#reader.rows('svc-find-archive', sql, [number]);
    if (row === undefined) {
      throw new ServiceError(
        'SVC_ARCHIVE_DAMAGED',
        `Cannot read archived events: svc_archives has no row with number ${number}. Restore the database from a backup.`,
      );
    }
    return toFile(row);
  }
}

function ofRuntime(name: string, cause: unknown): ServiceError {
  return new ServiceError(
    'SVC_ARCHIVE_REFUSED',
    `Cannot archive the events of "${name}": the database role may not change stored events. Nothing was changed; run svc archive as the owner of the schema.`,
    { cause },
  );
}

const columns = 'number, name, sha256, events, bytes, first_sequence, last_sequence';

const insertStatement = `INSERT INTO svc_archives (${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7)`;

const archiveStatement = `
  UPDATE svc_events event SET body = NULL, archive = $1
  WHERE sequence = ANY($2::bigint[]) AND archive IS NULL AND NOT (${isReference})`;

/** Audit records that refer to an event have no body. */
const referencesStatement = `
  SELECT count(*) AS found FROM svc_events event WHERE sequence = ANY($1::bigint[]) AND ${isReference}`;

/** Retained tables belong to hosts of another version, which may never catch up. */
const behindStatement = `
  SELECT tables.perspective FROM svc_perspectives tables LEFT JOIN svc_events last ON last.sequence = tables.sequence
  WHERE tables.role <> 'retained'
    AND (coalesce(last.transaction_id, '0'), tables.sequence) < ($1::text::xid8, $2::bigint)
  ORDER BY tables.perspective LIMIT 1`;

const waitingStatement = `
  SELECT count(*) AS messages FROM svc_outbox JOIN svc_events event ON event.id = svc_outbox.event_id
  WHERE (event.transaction_id, event.sequence) <= ($1::text::xid8, $2::bigint)`;

function toFile(row: Row): ArchiveFile {
  return {
    number: Number(row['number']),
    name: row['name']!,
    sha256: row['sha256']!,
    events: Number(row['events']),
    bytes: Number(row['bytes']),
    firstSequence: Number(row['first_sequence']),
    lastSequence: Number(row['last_sequence']),
  };
}
