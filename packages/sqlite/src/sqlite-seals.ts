import type { OutgoingRecord, SealHead, SealRecord, SqlItem, StorageSeals } from '@svc/core/storage';
import type { Connection } from './connection.js';
import type { Row } from './engine.js';
import { Numbers } from './numbers.js';
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

  constructor(open: () => Promise<Connection>) {
    this.#open = open;
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
