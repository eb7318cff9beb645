import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  DigestingWorker,
  pagesOf,
  type DigestingThread,
  type LogPage,
  type OutgoingRecord,
  type SealHead,
  type SealRecord,
  type SqlItem,
  type StorageSeals,
  type StoredRecord,
} from '@svc/core/storage';
import { inMemory, type Connection } from './connection.js';
import type { Row } from './engine.js';
import { eventBytesOf } from './log-page.js';
import { Numbers } from './numbers.js';
import type { SqliteOptions } from './options.js';
import { insertOutgoing } from './outbox.js';

/** The tables of the seals. */
export const sealSchema: SqlItem = {
  kind: 'sql',
  key: 'infrastructure/seals',
  creates: 'svc_seals',
  steps: [
    `
    CREATE TABLE svc_seals (
      number        INTEGER PRIMARY KEY, -- of the checkpoint
      size          INTEGER NOT NULL,    -- how many events of the log it covers
      last_sequence INTEGER NOT NULL,    -- of the last of them
      checkpoint    TEXT NOT NULL,       -- as it was signed
      frontier      BLOB NOT NULL,       -- the complete subtrees of the Merkle tree
      entries       BLOB NOT NULL        -- id and digests of each event since the previous seal
    ) STRICT;

    CREATE TRIGGER svc_seals_are_not_changed BEFORE UPDATE ON svc_seals
    BEGIN SELECT RAISE(ABORT, 'svc_seals is append-only: seals are never changed'); END;

    CREATE TRIGGER svc_seals_are_not_deleted BEFORE DELETE ON svc_seals
    BEGIN SELECT RAISE(ABORT, 'svc_seals is append-only: seals are never deleted'); END;

    -- The number of the last seal that each anchor has received.
    CREATE TABLE svc_seal_anchors (
      anchor TEXT PRIMARY KEY,
      number INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;`,
  ],
};

/** The seals of a log, in a database file. */
export class SqliteSeals implements StorageSeals {
  readonly #open: () => Promise<Connection>;
  readonly #readAll: (afterSequence: number) => AsyncIterable<StoredRecord>;

  constructor(open: () => Promise<Connection>, readAll: (afterSequence: number) => AsyncIterable<StoredRecord>) {
    this.#open = open;
    this.#readAll = readAll;
  }

  async startThread(): Promise<DigestingThread | null> {
    const { file, lockTimeoutMs } = await this.#open();
    const options: SqliteOptions = { file, lockTimeoutMs };
    return file === inMemory ? null : DigestingWorker.start(new URL('./digesting-thread.js', import.meta.url), options);
  }

  async *readLog(afterSequence: number, size: number): AsyncIterable<LogPage> {
    for (let after = afterSequence; ; await nextTurn()) {
      const connection = await this.#open();
      const { sql } = connection;
      const page = await connection.unlocked(() => {
        const { last, found } = sql.endOfPage.get(after, size)! as { readonly last: number; readonly found: number };
        return found === 0 ? null : { found, ...sql.readLogPage.get(after, last)! };
      });
      if (page === null) return;
      const { found, plain, numbers, texts } = page as LogPageRow;
      const bytes = plain === 1 ? eventBytesOf(found, numbers, texts) : null;
      const records = bytes === null ? await firstPage(this.#readAll(after), size) : [];
      // The owner of the file removed the events in between.
      if (bytes === null && records.length === 0) return;
      yield bytes === null ? { records } : { bytes };
      const read = bytes === null ? records.length : found;
      if (read === found && found < size) return;
      after = bytes === null ? records.at(-1)!.sequence : bytes.sequences[found - 1]!;
    }
  }

  async readLast(): Promise<SealHead | null> {
    const connection = await this.#open();
    const row = await connection.unlocked(() => connection.sql.lastSeal.get());
    return row === undefined ? null : headOf(row);
  }

  async read(after: number, limit: number): Promise<readonly SealRecord[]> {
    const connection = await this.#open();
    const rows = await connection.unlocked(() => connection.sql.readSeals.all(after, limit));
    return rows.map((row) => Object.assign(headOf(row), { entries: bytesOf(row['entries']) }));
  }

  async append(seal: SealRecord, outgoing: readonly OutgoingRecord[]): Promise<boolean> {
    const { number, size, lastSequence, checkpoint, frontier, entries } = seal;
    const connection = await this.#open();
    const { sql } = connection;
    return await connection.transaction(() => {
      const last = (sql.lastSeal.get()?.['number'] as number | undefined) ?? 0;
      if (number !== last + 1) return false;
      sql.insertSeal.run(number, size, lastSequence, checkpoint, hexOf(frontier), hexOf(entries));
      insertOutgoing(sql, new Numbers(sql, []), outgoing);
      return true;
    });
  }

  async readAnchored(): Promise<ReadonlyMap<string, number>> {
    const connection = await this.#open();
    const rows = await connection.unlocked(() => connection.sql.readSealAnchors.all());
    return new Map(rows.map((row) => [row['anchor'] as string, row['number'] as number]));
  }

  async recordAnchored(anchor: string, number: number): Promise<void> {
    const connection = await this.#open();
    await connection.derivedTransaction(() => connection.sql.recordSealAnchor.run(anchor, number));
  }
}

/** Many events in one row. */
interface LogPageRow {
  readonly found: number;
  readonly plain: number;
  readonly numbers: string;
  readonly texts: string;
}

async function firstPage(all: AsyncIterable<StoredRecord>, size: number): Promise<readonly StoredRecord[]> {
  // An audit record whose event was removed has no body.
  const sizeOf = ({ body }: { readonly body: string | null }): number => body?.length ?? 0;
  for await (const page of pagesOf(all, size, sizeOf)) return page;
  return [];
}

function headOf(row: Row): SealHead {
  return {
    number: row['number'] as number,
    size: row['size'] as number,
    lastSequence: row['last_sequence'] as number,
    checkpoint: row['checkpoint'] as string,
    frontier: bytesOf(row['frontier']),
  };
}

function bytesOf(hex: unknown): Uint8Array {
  return Buffer.from(hex as string, 'hex');
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
