import type { PerspectiveStanding, SegmentStanding } from '@svc/core/storage';
import type { Queryable } from './reader.js';
import type { Row } from './row.js';

/** Counts along the index of the log, from the event `last` on. */
export const waitingAfterLast = (limit: string): string => `CROSS JOIN LATERAL (
    SELECT count(*) AS events, (array_agg((extract(epoch FROM timestamp) * 1000)::bigint))[1] AS oldest
    FROM (
      SELECT timestamp FROM svc_events
      WHERE (transaction_id, sequence) > (coalesce(last.transaction_id, '0'), coalesce(last.sequence, -1))
      ORDER BY transaction_id, sequence LIMIT ${limit}
    ) ordered
  ) waiting`;

const segmentsStatement = `
  SELECT segment.sequence, waiting.events, waiting.oldest, (
    SELECT count(*) FROM svc_segments_stopped stopped
    WHERE stopped.name = segment.name AND stopped.segment = segment.segment) AS stopped
  FROM svc_segments segment LEFT JOIN svc_events last ON last.sequence = segment.sequence
  ${waitingAfterLast('$2')}
  WHERE segment.name = $1 ORDER BY segment.segment`;

const statement = `
  SELECT wanted.name, coalesce(furthest.sequence, own.sequence, live.sequence, -1) AS sequence, waiting.events, waiting.oldest,
    (SELECT count(*) FROM svc_perspectives_stopped WHERE perspective = coalesce(own.name, wanted.name))
      + (SELECT count(DISTINCT stream_id) FROM svc_segments_stopped segment
         WHERE segment.name = coalesce(own.name, wanted.name)) AS stopped
  FROM jsonb_to_recordset($1::jsonb) AS wanted (name text, version text)
  LEFT JOIN svc_perspectives live ON live.name = wanted.name
  -- The retained tables of this host's version, if tables of another version serve.
  LEFT JOIN svc_perspectives own ON own.perspective = wanted.name AND own.role = 'retained'
    AND own.definition::jsonb->>'version' = wanted.version AND live.definition::jsonb->>'version' <> wanted.version
  -- Of divided tables, the segment that is furthest behind.
  LEFT JOIN LATERAL (
    SELECT segment.sequence FROM svc_segments segment LEFT JOIN svc_events reached USING (sequence)
    WHERE segment.name = coalesce(own.name, live.name)
    ORDER BY reached.transaction_id NULLS FIRST, segment.sequence LIMIT 1
  ) furthest ON true
  LEFT JOIN svc_events last ON last.sequence = coalesce(furthest.sequence, own.sequence, live.sequence)
  ${waitingAfterLast('$2')}`;

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
  return rows.map((row) => Object.assign({ perspective: row['name']! }, toStanding(row)));
}

/** The standings of the segments of tables, in their order. */
export async function readSegmentStandings(
  queryable: Queryable,
  name: string,
  limit: number,
): Promise<readonly SegmentStanding[]> {
  return (await queryable.rows('svc-segment-standings', segmentsStatement, [name, limit])).map(toStanding);
}

function toStanding(row: Row): SegmentStanding {
  return {
    sequence: Number(row['sequence']),
    stopped: Number(row['stopped']),
    behind: Number(row['events']),
    oldest: row['oldest'] === null ? null : Number(row['oldest']),
  };
}
