import { streamTenantKey, SystemEventStream } from '@svc/core';

const stream = `'${SystemEventStream.streamId}'`;

/** As `Date.prototype.toISOString` writes it, which has six digits for years of more than four. */
const timestamp = `
  to_char(event.timestamp AT TIME ZONE 'UTC', CASE WHEN event.timestamp < '10000-01-01T00:00Z' THEN '' ELSE '"+0"' END
    || 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** A value of the scope, as the JSON that it is kept as; left out where there is none. */
const ofScope = (key: string): string => `',"${key}":' || nullif((event.scope->'${key}')::text, 'null')`;

/**
 * The body of an `EventAudited`, to the letter what core's writer makes of the same event and note. Kept JSON goes into it as it is.
 * What is null is left out by `concat`.
 */
const eventAudited = `
  concat('{"id":"', taken.id, '","originalEventType":', to_json(event.type), ',"originalStreamId":"', event.stream_id,
    '","originalStreamPosition":', event.position, ',"originalBody":', event.body, ',"timestamp":"', ${timestamp},
    '","auditLevel":', note->'auditLevel', ',"originalEventId":"', event.id, '"', ${ofScope('tenantId')}, ${ofScope('userId')},
    ',"correlationId":"', event.correlation_id, '"', ',"causationId":"' || event.causation_id || '"',
    ',"auditReason":' || (note->'auditReason')::text, ',"scope":' || event.scope::text, '}')`;

/** An audit record counts for the same tenant as its event. */
const auditMetadata = `
  coalesce('{"${streamTenantKey}":' || (event.metadata->'${streamTenantKey}')::text || '}', '{}')::json`;

/**
 * Moves the oldest messages of the lane `system` out of the outbox and into the system stream, the parameter says how many at most.
 * It answers with the types of what it has appended, and how many there were of each.
 *
 * Whatever else appends to the stream or takes from the lane meanwhile makes a unique constraint fail, or leaves nothing to take:
 * nothing is appended twice, and no position is left out. As the commit statement, it has to be the first of its transaction.
 */
export const systemDelivery = `
WITH stream AS MATERIALIZED (
  SELECT coalesce((SELECT position FROM svc_events WHERE stream_id = ${stream} ORDER BY position DESC LIMIT 1), -1) AS head
),
oldest AS MATERIALIZED (
  SELECT min(sequence) AS first, max(sequence) AS last
  FROM (SELECT sequence FROM svc_outbox WHERE lane = 'system' ORDER BY sequence LIMIT $1) waiting
),
taken AS (
  DELETE FROM svc_outbox
  WHERE lane = 'system' AND sequence BETWEEN (SELECT first FROM oldest) AND (SELECT last FROM oldest)
  RETURNING sequence AS ordinal, id, message, note::json AS note, event_id
),
arriving AS (
  SELECT ordinal, taken.id, 'svc.EventAudited' AS type, ${eventAudited}::json AS body, event.timestamp,
    event.correlation_id, event.id AS causation_id, event.scope, ${auditMetadata} AS metadata
  FROM taken LEFT JOIN svc_events event ON event.id = taken.event_id WHERE message IS NULL
UNION ALL
  SELECT ordinal, id, message->>'type', (message->>'body')::json, to_timestamp((message->>'timestamp')::double precision / 1000),
    (message->>'correlationId')::uuid, (message->>'causationId')::uuid, nullif((message->'scope')::text, 'null')::json,
    message->'metadata'
  FROM taken WHERE message IS NOT NULL
),
appended AS (
  INSERT INTO svc_events (id, stream_id, position, type, body, timestamp, correlation_id, causation_id, scope, metadata)
  SELECT id, ${stream}, head + row_number() OVER (ORDER BY ordinal), type, body, timestamp, correlation_id, causation_id,
    scope, metadata
  FROM arriving, stream ORDER BY ordinal
  RETURNING type
)
SELECT type, count(*) AS delivered FROM appended GROUP BY type`;
