import { SystemEventStream } from '@svc/core';
import { eventAuditedType, firstIdOf, referenceBody } from '@svc/core/storage';
import { forgetRenewed, isTimed, lastEventOf, latestReceived } from './event-order.js';
import { firstStatementId } from './transaction-ids.js';

const stream = `'${SystemEventStream.streamId}'`;
const firstId = firstIdOf(0);

/** A new id that is greater than `behind`: `behind` plus the number of the message in the page, which fits into the random bits. */
const nextId = `
  (substr(behind, 1, 20) || lpad(to_hex(('x' || substr(behind, 21, 3) || substr(behind, 25))::bit(60)::bigint + nth), 15, '0'))::uuid`;

/** The events of messages that have one. The message is parsed once for all its properties. */
const sentEvents = `
  SELECT ordinal, id, sent.type, (CASE WHEN id = queued_id THEN sent.body ELSE replace(sent.body, queued_id::text, id::text) END)::json,
    to_timestamp(sent.timestamp / 1000),
    CASE WHEN sent."correlationId" = queued_id THEN id ELSE sent."correlationId" END,
    sent."causationId", sent.scope, sent.metadata
  FROM arrived, json_to_record(message) AS sent (
    type text, body text, timestamp double precision, "correlationId" uuid, "causationId" uuid, scope json, metadata json)
  WHERE message IS NOT NULL`;

/** The same in the first version of the schema. */
const firstSentEvents = `
  SELECT ordinal, id, message->>'type', replace(message->>'body', queued_id::text, id::text)::json,
    to_timestamp((message->>'timestamp')::double precision / 1000),
    CASE WHEN (message->>'correlationId')::uuid = queued_id THEN id ELSE (message->>'correlationId')::uuid END,
    (message->>'causationId')::uuid, nullif((message->'scope')::text, 'null')::json, message->'metadata'
  FROM arrived WHERE message IS NOT NULL`;

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
const deliveryOf = (sent: string, forgotten: string): string => `
WITH stream AS MATERIALIZED (
  SELECT coalesce(position, -1) AS head, greatest(latest, ${latestReceived(`coalesce(latest, '${firstId}')`)})::text COLLATE "C" AS latest
  FROM (SELECT position, CASE WHEN ${isTimed('latest')} THEN latest END AS latest
    FROM (VALUES (1)) AS one LEFT JOIN LATERAL (${lastEventOf(stream)}) last ON true) stream
),
oldest AS MATERIALIZED (
  SELECT min(sequence) AS first, max(sequence) AS last
  FROM (SELECT sequence FROM svc_outbox WHERE lane = 'system' ORDER BY sequence LIMIT $1) waiting
),
dequeued AS (
  DELETE FROM svc_outbox
  WHERE lane = 'system' AND sequence BETWEEN (SELECT first FROM oldest) AND (SELECT last FROM oldest)
  RETURNING sequence AS ordinal, id, CASE WHEN ${isTimed('id')} THEN id::text COLLATE "C" END AS timed_id,
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
${forgotten}arriving AS (
  SELECT ordinal, arrived.id, '${eventAuditedType}' AS type, '${referenceBody}'::json AS body, event.timestamp,
    event.correlation_id, event.id AS causation_id, NULL::json AS scope, note AS metadata
  FROM arrived LEFT JOIN svc_events event ON event.id = arrived.event_id WHERE message IS NULL
UNION ALL${sent}
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

export const systemDelivery = deliveryOf(sentEvents, '');
/** Also removed what `forgetExpired` removes now: with a plan for an empty table, it read the whole table each time. */
export const firstSystemDelivery = deliveryOf(firstSentEvents, `forgotten AS (${forgetRenewed('2000')}\n),\n`);
