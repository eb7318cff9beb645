import { SystemEventStream } from '@svc/core';
import { streamTenantKey } from '@svc/core/storage';
import { forgetRenewed, lastEventOf, latestReceived, versionOf } from './event-order.js';
import { firstStatementId } from './transaction-ids.js';

const stream = `'${SystemEventStream.streamId}'`;

/** The format of `Date.prototype.toISOString`, which writes years after 9999 with six digits. */
const timestamp = `
  to_char(event.timestamp AT TIME ZONE 'UTC', CASE WHEN event.timestamp < '10000-01-01T00:00Z' THEN '' ELSE '"+0"' END
    || 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** A value of the scope as stored JSON; left out if there is none. */
const ofScope = (key: string): string => `',"${key}":' || nullif((event.scope->'${key}')::text, 'null')`;

/**
 * The body of an `EventAudited`, identical to what core's writer produces for the same event and note. Stored JSON is inserted unchanged.
 * `concat` leaves out nulls.
 */
const eventAudited = `
  concat('{"id":"', arrived.id, '","originalEventType":', to_json(event.type), ',"originalStreamId":"', event.stream_id,
    '","originalStreamPosition":', event.position, ',"originalBody":', event.body, ',"timestamp":"', ${timestamp},
    '","auditLevel":', note->'auditLevel', ',"originalEventId":"', event.id, '"', ${ofScope('tenantId')}, ${ofScope('userId')},
    ',"correlationId":"', event.correlation_id, '"', ',"causationId":"' || event.causation_id || '"',
    ',"auditReason":' || (note->'auditReason')::text, ',"scope":' || event.scope::text, '}')`;

/** An audit record belongs to the same tenant as its event. */
const auditMetadata = `
  coalesce('{"${streamTenantKey}":' || (event.metadata->'${streamTenantKey}')::text || '}', '{}')::json`;

/** A new id that is greater than `behind`: `behind` plus the number of the message in the page, which fits into the random bits. */
const nextId = `
  (substr(behind, 1, 20) || lpad(to_hex(('x' || substr(behind, 21, 3) || substr(behind, 25))::bit(60)::bigint + nth), 15, '0'))::uuid`;

/**
 * Moves the oldest messages of the lane `system` from the outbox to the system stream. The parameter limits their number.
 * It returns the types of the appended events, and the number of each.
 *
 * If another transaction appends to the stream or delivers the lane concurrently, a unique constraint fails or no message is left. So no
 * event is appended twice, and no position is skipped. Like the commit statement, it must be the first of its transaction.
 *
 * Hosts create ids before they commit. A message whose id is less than a previous one gets a new id, also inside its body. `svc_renewed`
 * stores the previous id, so that a host that retries its commit does not queue the message twice.
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
dequeued AS (
  DELETE FROM svc_outbox
  WHERE lane = 'system' AND sequence BETWEEN (SELECT first FROM oldest) AND (SELECT last FROM oldest)
  RETURNING sequence AS ordinal, id, CASE WHEN ${versionOf('id')} = '7' THEN id::text COLLATE "C" END AS timed_id,
    message, note::json AS note, event_id
),
placed AS (
  SELECT dequeued.*, row_number() OVER queued AS nth,
    greatest(latest, max(timed_id) OVER (queued ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) AS behind
  FROM dequeued, stream WINDOW queued AS (ORDER BY ordinal)
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
  INSERT INTO svc_events
    (transaction_id, id, stream_id, position, type, body, timestamp, correlation_id, causation_id, scope, metadata)
  SELECT ${firstStatementId}, id, ${stream}, head + row_number() OVER (ORDER BY ordinal), type, body, timestamp, correlation_id, causation_id,
    scope, metadata
  FROM arriving, stream ORDER BY ordinal
  RETURNING type
)
SELECT type, count(*) AS delivered FROM appended GROUP BY type`;
