import type { Uuid } from '@svc/core';
import type { InstanceFilter, ProcessInstanceRecord, SqlItem, StorageProcesses } from '@svc/core/storage';
import type { Connection } from './connection.js';

/** The table of the instances of processes. */
export const processSchema: SqlItem = {
  kind: 'sql',
  key: 'infrastructure/processes',
  creates: 'svc_processes',
  steps: [
    `
    CREATE TABLE svc_processes (
      stream_id  TEXT PRIMARY KEY, -- of the instance
      process    TEXT NOT NULL,
      tenant     TEXT NOT NULL,
      key        TEXT NOT NULL,
      events     INTEGER NOT NULL, -- that it has processed
      ignored    INTEGER NOT NULL, -- events after its end
      started_at INTEGER NOT NULL,
      changed_at INTEGER NOT NULL,
      completed  INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX svc_processes_started ON svc_processes (started_at, stream_id);
    CREATE INDEX svc_processes_open ON svc_processes (started_at, stream_id) WHERE completed = 0;`,
  ],
};

/** The instances of processes, in a database file. */
export class SqliteProcesses implements StorageProcesses {
  readonly #open: () => Promise<Connection>;

  constructor(open: () => Promise<Connection>) {
    this.#open = open;
  }

  async readInstances({ isOpen, after }: InstanceFilter, limit: number): Promise<readonly ProcessInstanceRecord[]> {
    const connection = await this.#open();
    const { sql } = connection;
    const rows = await connection.unlocked(() =>
      (isOpen ? sql.readOpenInstances : sql.readInstances).all(after, limit),
    );
    return rows.map((row) => ({
      streamId: row['stream_id'] as Uuid,
      process: row['process'] as string,
      tenant: row['tenant'] as string,
      key: row['key'] as string,
      events: row['events'] as number,
      ignored: row['ignored'] as number,
      startedAt: row['started_at'] as number,
      changedAt: row['changed_at'] as number,
      isCompleted: row['completed'] === 1,
    }));
  }
}
