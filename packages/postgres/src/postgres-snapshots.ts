import type { Uuid } from '@svc/core';
import type { SnapshotRecord, SqlItem, StorageSnapshots } from '@svc/core/storage';
import type { Reader } from './reader.js';

/** The table of the snapshots. */
export const snapshotSchema: SqlItem = {
  kind: 'sql',
  key: 'infrastructure/decider-snapshots',
  creates: 'svc_decider_snapshots',
  steps: [
    `
    CREATE TABLE svc_decider_snapshots (
      decider   text COLLATE "C" NOT NULL,
      stream_id uuid NOT NULL,
      version   text COLLATE "C" NOT NULL, -- of the decider and of its state
      position  bigint NOT NULL,
      event_id  uuid NOT NULL,
      state     text NOT NULL, -- not json: the checksum is of this text
      checksum  text NOT NULL,
      PRIMARY KEY (decider, stream_id, version)
    );`,
  ],
};

/** The snapshots of deciders, in a PostgreSQL database. */
export class PostgresSnapshots implements StorageSnapshots {
  readonly #reader: Reader;
  readonly #open: () => Promise<void>;

  constructor(reader: Reader, open: () => Promise<void>) {
    this.#reader = reader;
    this.#open = open;
  }

  async read(decider: string, streamId: Uuid, version: string): Promise<SnapshotRecord | null> {
    await this.#open();
    const [row] = await this.#reader.rows('svc-snapshot', readStatement, [decider, streamId, version]);
    if (row === undefined) return null;
    return {
      decider,
      streamId,
      version,
      position: Number(row['position']),
      eventId: row['event_id'] as Uuid,
      state: row['state'] as string,
      checksum: row['checksum'] as string,
    };
  }

  async write(snapshot: SnapshotRecord, outdatedBefore: number): Promise<void> {
    await this.#open();
    const { decider, streamId, version, position, eventId, state, checksum } = snapshot;
    const values = [decider, streamId, version, position, eventId, state, checksum, outdatedBefore];
    await this.#reader.rows('svc-snapshot-store', storeStatement, values);
  }
}

const readStatement = `
  SELECT position, event_id, state, checksum FROM svc_decider_snapshots
  WHERE decider = $1 AND stream_id = $2 AND version = $3`;

const storeStatement = `
  WITH outdated AS (
    DELETE FROM svc_decider_snapshots WHERE decider = $1 AND stream_id = $2 AND version <> $3 AND position < $8
  )
  INSERT INTO svc_decider_snapshots AS known (decider, stream_id, version, position, event_id, state, checksum)
  VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (decider, stream_id, version) DO UPDATE
  SET position = excluded.position, event_id = excluded.event_id, state = excluded.state, checksum = excluded.checksum
  WHERE known.position <= excluded.position`;
