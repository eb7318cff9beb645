import type { Uuid } from '@svc/core';
import type { InstanceFilter, ProcessInstanceRecord, SqlItem, StorageProcesses } from '@svc/core/storage';
import type { CommitPart } from './commit-part.js';
import type { Reader } from './reader.js';

/** The table of the instances of processes. */
export const processSchema: SqlItem = {
  kind: 'sql',
  key: 'infrastructure/processes',
  creates: 'svc_processes',
  steps: [
    `
    CREATE TABLE svc_processes (
      stream_id  uuid PRIMARY KEY, -- of the instance
      process    text NOT NULL,
      tenant     text NOT NULL,
      key        text NOT NULL,
      events     bigint NOT NULL, -- that it has processed
      ignored    bigint NOT NULL, -- events after its end
      started_at timestamptz NOT NULL,
      changed_at timestamptz NOT NULL,
      completed  boolean NOT NULL
    );

    CREATE INDEX svc_processes_started ON svc_processes (started_at, stream_id);
    CREATE INDEX svc_processes_open ON svc_processes (started_at, stream_id) WHERE NOT completed;`,
  ],
};

/** The part of the commit statement for events that instances of processes have received. */
export const stepsPart: CommitPart = {
  name: 'steps',
  lists: ['steps'],
  sql: (steps) => ({
    rows: `,
steps AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset(${steps}::jsonb) AS step (
    record int, stream_id uuid, process text, tenant text, key text, at double precision, ignored int, completes boolean)
)`,
    refusals: '',
    writes: `,
written_steps AS (
  INSERT INTO svc_processes AS known (stream_id, process, tenant, key, events, ignored, started_at, changed_at, completed)
  SELECT stream_id, process, tenant, key, 1 - ignored, ignored, to_timestamp(at / 1000), to_timestamp(at / 1000), completes
  FROM steps WHERE record NOT IN (SELECT record FROM refusals)
  ORDER BY stream_id
  ON CONFLICT (stream_id) DO UPDATE SET
    events = known.events + excluded.events,
    ignored = known.ignored + excluded.ignored,
    changed_at = excluded.changed_at,
    completed = known.completed OR excluded.completed
)`,
  }),
};

/** The instances of processes, in a PostgreSQL database. */
export class PostgresProcesses implements StorageProcesses {
  readonly #reader: Reader;
  readonly #open: () => Promise<void>;

  constructor(reader: Reader, open: () => Promise<void>) {
    this.#reader = reader;
    this.#open = open;
  }

  async readInstances({ isOpen, after }: InstanceFilter, limit: number): Promise<readonly ProcessInstanceRecord[]> {
    await this.#open();
    const [name, text] = isOpen ? ['svc-instances-open', readOpen] : ['svc-instances', readAll];
    const rows = await this.#reader.rows(name, text, [after, limit]);
    return rows.map((row) => ({
      streamId: row['stream_id'] as Uuid,
      process: row['process'] as string,
      tenant: row['tenant'] as string,
      key: row['key'] as string,
      events: Number(row['events']),
      ignored: Number(row['ignored']),
      startedAt: Number(row['started']),
      changedAt: Number(row['changed']),
      isCompleted: row['completed'] === 'true',
    }));
  }
}

const readInstances = (condition: string): string => `
  SELECT stream_id, process, tenant, key, events, ignored, completed::text AS completed,
    round(extract(epoch FROM started_at) * 1000) AS started, round(extract(epoch FROM changed_at) * 1000) AS changed
  FROM svc_processes
  WHERE ($1::uuid IS NULL OR (started_at, stream_id) > (SELECT started_at, stream_id FROM svc_processes WHERE stream_id = $1))
    ${condition}
  ORDER BY started_at, stream_id LIMIT $2`;

const readAll = readInstances('');
const readOpen = readInstances('AND NOT completed');
