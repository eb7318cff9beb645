import type { Uuid } from '@svc/core';
import type { SnapshotRecord, SqlItem, StorageSnapshots } from '@svc/core/storage';
import type { Connection } from './connection.js';

/** The table of the snapshots. */
export const snapshotSchema: SqlItem = {
  kind: 'sql',
  key: 'infrastructure/decider-snapshots',
  creates: 'svc_decider_snapshots',
  steps: [
    `
    CREATE TABLE svc_decider_snapshots (
      decider   TEXT NOT NULL,
      stream_id TEXT NOT NULL,
      version   TEXT NOT NULL, -- of the decider and of its state
      position  INTEGER NOT NULL,
      event_id  TEXT NOT NULL,
      state     TEXT NOT NULL,
      checksum  TEXT NOT NULL,
      PRIMARY KEY (decider, stream_id, version)
    ) STRICT;`,
  ],
};

/** The snapshots of deciders, in a database file. Their transactions do not wait for the disk: a lost snapshot is stored again. */
export class SqliteSnapshots implements StorageSnapshots {
  readonly #open: () => Promise<Connection>;

  constructor(open: () => Promise<Connection>) {
    this.#open = open;
  }

  async read(decider: string, streamId: Uuid, version: string): Promise<SnapshotRecord | null> {
    const connection = await this.#open();
    const row = await connection.unlocked(() => connection.sql.findSnapshot.get(decider, streamId, version));
    if (row === undefined) return null;
    return {
      decider,
      streamId,
      version,
      position: row['position'] as number,
      eventId: row['event_id'] as Uuid,
      state: row['state'] as string,
      checksum: row['checksum'] as string,
    };
  }

  async write(snapshot: SnapshotRecord, outdatedBefore: number): Promise<void> {
    const { decider, streamId, version, position, eventId, state, checksum } = snapshot;
    const connection = await this.#open();
    await connection.derivedTransaction(() => {
      const { sql } = connection;
      sql.storeSnapshot.run(decider, streamId, version, position, eventId, state, checksum);
      sql.removeSnapshots.run(decider, streamId, version, outdatedBefore);
    });
  }
}
