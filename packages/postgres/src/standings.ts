import type { PerspectiveStanding } from '@svc/core/storage';
import type { Queryable } from './reader.js';

/** Counts along the index of the log, from the place of each perspective. */
const statement = `
  SELECT wanted.name, waiting.events, waiting.oldest,
    (SELECT count(*) FROM svc_perspectives_stopped
     WHERE perspective = CASE WHEN own.name IS NULL THEN wanted.name ELSE own.name END) AS stopped
  FROM jsonb_to_recordset($1::jsonb) AS wanted (name text, version text)
  LEFT JOIN svc_perspectives live ON live.name = wanted.name
  -- The retained tables of this host's version, if tables of another version serve.
  LEFT JOIN svc_perspectives own ON own.perspective = wanted.name AND own.role = 'retained'
    AND own.definition::jsonb->>'version' = wanted.version AND live.definition::jsonb->>'version' <> wanted.version
  LEFT JOIN svc_events last ON last.sequence = coalesce(own.sequence, live.sequence)
  CROSS JOIN LATERAL (
    SELECT count(*) AS events, (array_agg((extract(epoch FROM timestamp) * 1000)::bigint))[1] AS oldest
    FROM (
      SELECT timestamp FROM svc_events
      WHERE (transaction_id, sequence) > (coalesce(last.transaction_id, '0'), coalesce(last.sequence, -1))
      ORDER BY transaction_id, sequence LIMIT $2
    ) ordered
  ) waiting`;

/** A perspective, and the version of the models that this host builds; null if it builds none. */
export interface WantedStanding {
  readonly name: string;
  readonly version: string | null;
}

export async function readStandings(
  queryable: Queryable,
  perspectives: readonly WantedStanding[],
  limit: number,
): Promise<readonly PerspectiveStanding[]> {
  const rows = await queryable.rows('svc-standings', statement, [JSON.stringify(perspectives), limit]);
  return rows.map((row) => ({
    perspective: row['name']!,
    stopped: Number(row['stopped']),
    behind: Number(row['events']),
    oldest: row['oldest'] === null ? null : Number(row['oldest']),
  }));
}
