import { SystemEventStream } from '@svc/core';
import { streamTenantKey } from '@svc/core/storage';
import { forgetRenewed, lastEventOf, latestReceived, versionOf } from './event-order.js';

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
  concat('{"id":"', arrived.id, '","originalEventType":', to_json(event.type), ',"originalStreamId":"', event.stream_id,
    '","originalStreamPosition":', event.position, ',"originalBody":', event.body, ',"timestamp":"', ${timestamp},
    '","auditLevel":', note->'auditLevel', ',"originalEventId":"', event.id, '"', ${ofScope('tenantId')}, ${ofScope('userId')},
    ',"correlationId":"', event.correlation_id, '"', ',"causationId":"' || event.causation_id || '"',
    ',"auditReason":' || (note->'auditReason')::text, ',"scope":' || event.scope::text, '}')`;

/** An audit record counts for the same tenant as its event. */
const auditMetadata = `
  coalesce('{"${streamTenantKey}":' || (event.metadata->'${streamTenantKey}')::text || '}', '{}')::json`;

/** The id of one that may not stay below `behind`: it follows by its number, and the part that is random has room for all of a page. */
const nextId = `
  (substr(behind, 1, 20) || lpad(to_hex(('x' || substr(behind, 21, 3) || substr(behind, 25))::bit(60)::bigint + nth), 15, '0'))::uuid`;

/**
 * Moves the oldest messages of the lane `system` out of the outbox and into the system stream, the parameter says how many at most.
 * It answers with the types of what it has appended, and how many there were of each.
 *
 * Whatever else appends to the stream or takes from the lane meanwhile makes a unique constraint fail, or leaves nothing to take:
 * nothing is appended twice, and no position is left out. As the commit statement, it has to be the first of its transaction.
 *
 * Hosts make ids at one time and commit at another. A message whose id is below that of one before it gets a new id, by which it names itself;
 * `svc_renewed` remembers the old one, so that a host that sends it again, because it did not get an answer, does not queue it twice.
 */
export const systemDelivery = `
WITH stream AS MATERIALIZED (
  SELECT coalesce(position, -1) AS head, CASE WHEN ${versionOf('latest')} = '7' THEN latest::text COLLATE "C" END AS latest
  FROM (SELECT position, greatest(latest, ${latestReceived}) AS latest
    FROM (VALUES (1)) AS one LEFT JOIN LATERAL (${lastEventOf(stream)}) last ON true) stream
),
oldest AS MATERIALIZED (
  SELECT min(sequence) AS first, max(sequence) AS last
  FROM (SELECT sequence FROM svc_outbox WHERE lane = 'system' ORDER BY sequence LIMIT $1) waiting
),
taken AS (
  DELETE FROM svc_outbox
  WHERE lane = 'system' AND sequence BETWEEN (SELECT first FROM oldest) AND (SELECT last FROM oldest)
  RETURNING sequence AS ordinal, id, CASE WHEN ${versionOf('id')} = '7' THEN id::text COLLATE "C" END AS timed_id,
    message, note::json AS note, event_id
),
placed AS (
  SELECT taken.*, row_number() OVER queued AS nth,
    greatest(latest, max(timed_id) OVER (queued ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) AS behind
  FROM taken, stream WINDOW queued AS (ORDER BY ordinal)
),
arrived AS MATERIALIZED (
  SELECT ordinal, id AS queued_id, CASE WHEN timed_id <= behind THEN ${nextId} ELSE id END AS id, message, note, event_id FROM placed
),
renewed AS (
  INSERT INTO svc_renewed (id) SELECT queued_id FROM arrived WHERE id <> queued_id AND message IS NOT NULL
),
forgotten AS (${forgetRenewed}
),
arriving AS (
  SELECT ordinal, arrived.id, 'svc.EventAudited' AS type, ${eventAudited}::json AS body, event.timestamp,
    event.correlation_id, event.id AS causation_id, event.scope, ${auditMetadata} AS metadata
  FROM arrived LEFT JOIN svc_events event ON event.id = arrived.event_id WHERE message IS NULL
UNION ALL
  SELECT ordinal, id, message->>'type', replace(message->>'body', queued_id::text, id::text)::json,
    to_timestamp((message->>'timestamp')::double precision / 1000),
    CASE WHEN (message->>'correlationId')::uuid = queued_id THEN id ELSE (message->>'correlationId')::uuid END,
    (message->>'causationId')::uuid, nullif((message->'scope')::text, 'null')::json, message->'metadata'
  FROM arrived WHERE message IS NOT NULL
),
appended AS (
  INSERT INTO svc_events (id, stream_id, position, type, body, timestamp, correlation_id, causation_id, scope, metadata)
  SELECT id, ${stream}, head + row_number() OVER (ORDER BY ordinal), type, body, timestamp, correlation_id, causation_id,
    scope, metadata
  FROM arriving, stream ORDER BY ordinal
  RETURNING type
)
SELECT type, count(*) AS delivered FROM appended GROUP BY type`;
