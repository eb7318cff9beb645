import type { PerspectiveStanding } from '@svc/core';
import type { Asking } from './reader.js';

/** Along the index in which all events are read, from where each perspective stands. */
const statement = `
  SELECT wanted.name, waiting.events, waiting.oldest,
    (SELECT count(*) FROM svc_perspectives_stopped WHERE perspective = wanted.name) AS stopped
  FROM jsonb_array_elements_text($1::jsonb) AS wanted (name)
  LEFT JOIN svc_perspectives known ON known.name = wanted.name
  LEFT JOIN svc_events last ON last.sequence = known.sequence
  CROSS JOIN LATERAL (
    SELECT count(*) AS events, (array_agg((extract(epoch FROM timestamp) * 1000)::bigint))[1] AS oldest
    FROM (
      SELECT timestamp FROM svc_events
      WHERE (transaction_id, sequence) > (coalesce(last.transaction_id, '0'), coalesce(last.sequence, -1))
      ORDER BY transaction_id, sequence LIMIT $2
    ) ordered
  ) waiting`;

export async function readStandings(
  asking: Asking,
  perspectives: readonly string[],
  limit: number,
): Promise<readonly PerspectiveStanding[]> {
  const rows = await asking.rows('svc-standings', statement, [JSON.stringify(perspectives), limit]);
  return rows.map((row) => ({
    perspective: row['name']!,
    stopped: Number(row['stopped']),
    behind: Number(row['events']),
    oldest: row['oldest'] === null ? null : Number(row['oldest']),
  }));
}
