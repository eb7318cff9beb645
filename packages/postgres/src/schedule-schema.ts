import type { SqlItem } from '@svc/core/storage';

/** The scheduled commands. */
export const scheduledItem: SqlItem = {
  kind: 'sql',
  key: 'infrastructure/scheduled',
  creates: 'svc_scheduled',
  steps: [
    `
      CREATE TABLE svc_scheduled (
        id              uuid PRIMARY KEY,
        tenant          text COLLATE "C" NOT NULL,
        key             text COLLATE "C",
        type            text NOT NULL,
        message         json NOT NULL,
        due_at          timestamptz NOT NULL,
        claimable_at    timestamptz NOT NULL, -- from then on a host can claim it: when it is due, a claim ends, or the next attempt is due
        holder          uuid,                 -- the host that has claimed it
        attempts        integer NOT NULL DEFAULT 0,
        first_failed_at timestamptz
      );

      CREATE UNIQUE INDEX svc_scheduled_key ON svc_scheduled (tenant, key) WHERE key IS NOT NULL;
      CREATE INDEX svc_scheduled_claimable ON svc_scheduled (claimable_at, id);
      CREATE INDEX svc_scheduled_due ON svc_scheduled (due_at, id);`,
    'CREATE INDEX IF NOT EXISTS svc_scheduled_claimable_of_type ON svc_scheduled (type, claimable_at, id);',
  ],
};
