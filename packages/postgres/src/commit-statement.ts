import { auditDestination } from '@svc/core/storage';
import { combinedSql, type CommitPart } from './commit-part.js';
import { rowsWithTexts } from './json-texts.js';
import { isTimed, lastEventOf, latestReceived, receivedFrom } from './event-order.js';
import { tenantOf } from './rows.js';
import { firstStatementId } from './transaction-ids.js';

/**
 * Commits any number of records in one statement, and so in one round trip and one transaction. Each parameter is a JSON array of rows, or has the
 * bodies of the rows in the one before.
 *
 * The statement checks everything first (`refusals`), then writes the records without refusals. It returns only the refusals. Each stream and
 * each message may occur in one record only.
 *
 * The statement locks only the delivered messages. If another host is faster, a unique constraint fails, and the statement is retried.
 * It inserts rows in the order of their streams, so that two hosts never deadlock.
 *
 * It must be the first statement of its transaction. Then the positions that it sees are older than its transaction id, and the log, which
 * is in the order of these ids, preserves the order of each stream. Readers also rely on it to skip no event (decision 0086).
 */

/**
 * The statements that commit records. Guarded ones also check the tenant of each existing stream, which costs one lookup per stream.
 *
 * Each is faster than the next one, which could replace it: `commitEvent` commits one event 1.96 times as fast as one of events, that 1.40 times
 * as fast as one of messages, and that 1.30 times as fast as with the part `results`. With 32 records in flight the last two are 1.12 times as
 * fast each (16 processors, PostgreSQL 18).
 */
export interface CommitStatements {
  /** For records that contain only events and their audit notes. The parameters are the events, their bodies, and the lists of the parts. */
  readonly ofEvents: (parts: readonly CommitPart[]) => string;
  /**
   * For records with messages. The parameters are the events, their bodies, the outgoing messages, their texts, the delivered and received messages,
   * and the lists of the parts.
   */
  readonly ofMessages: (parts: readonly CommitPart[]) => string;
}

const eventColumns = (isGuarded: boolean): string => `
    record int, ordinal int, id uuid, stream_id uuid, stream_offset int, required bigint, type text,
    timestamp double precision, correlation_id uuid, causation_id uuid, scope text, metadata text, received_latest uuid,
    audit_id uuid, audit_note text${isGuarded ? ', tenant text' : ''}`;

const messageColumns = `
    record int, ordinal int, id uuid, lane text, destination text, note text, event_id uuid, alone boolean`;

/** The events, each with the position of its stream. Rows leave out columns without a value, because each one costs time. */
const eventsWith = (isGuarded: boolean): string => `
events AS MATERIALIZED (
  SELECT event.*, coalesce(last.position, -1) AS head, last.latest
  FROM ${rowsWithTexts('$1', eventColumns(isGuarded), '$2', { alias: 'event', text: 'body' })}
  LEFT JOIN LATERAL (${lastEventOf('event.stream_id')}) last ON true
)`;

/** The audit notes in the rows of events, as messages. */
const auditNotes = `
  SELECT record, false AS follows, ordinal, audit_id AS id, 'system' AS lane, '${auditDestination}' AS destination,
    NULL::text AS message, audit_note AS note, id AS event_id, false AS alone
  FROM events WHERE audit_id IS NOT NULL`;

const timedLatest = `CASE WHEN ${isTimed('latest')} THEN latest END`;

const eventRefusals = (isGuarded: boolean): string => `
  SELECT record, 'known event' AS reason, events.id, (stored.stream_id = events.stream_id)::int::text AS detail
  FROM events JOIN svc_events stored USING (id)
UNION ALL
  SELECT record, 'position', stream_id, head::text FROM events WHERE required <> head
UNION ALL
  SELECT record, 'late', stream_id, latest::text FROM (
    SELECT record, stream_id, id, CASE
      WHEN received_latest IS NULL THEN greatest(${timedLatest}, ${latestReceived('(SELECT id FROM events ORDER BY id LIMIT 1)')})
      WHEN received_latest < latest THEN ${timedLatest} END AS latest
    FROM events) late
  WHERE id <= latest AND ${isTimed('id')}${isGuarded ? foreignRefusals : ''}`;

/** For events that state the tenant that their stream must belong to if it exists. */
const foreignRefusals = `
UNION ALL
  SELECT record, 'tenant', stream_id, '' FROM events
  WHERE tenant <> CASE WHEN head > -1 THEN
    (SELECT ${tenantOf('first')} FROM svc_events first WHERE first.stream_id = events.stream_id AND first.position = 0)
  END`;

const insertedEvents = `
numbered AS (
  SELECT nextval('svc_events_sequence') AS sequence, head + 1 + coalesce(stream_offset, 0) AS position, events.* FROM events
  WHERE record NOT IN (SELECT record FROM refusals)
  ORDER BY ordinal
),
inserted_events AS (
  INSERT INTO svc_events
    (sequence, transaction_id, id, stream_id, position, type, body, timestamp, correlation_id, causation_id, scope, metadata)
  SELECT sequence, ${firstStatementId}, id, stream_id, position, type, body::json, to_timestamp(timestamp / 1000), correlation_id, causation_id,
    scope::json, coalesce(metadata, '{}')::json
  FROM numbered ORDER BY stream_id, position
)`;

const insertedOutgoing = `
inserted_outgoing AS (
  INSERT INTO svc_outbox (id, lane, destination, message, note, event_id)
  SELECT id, lane, destination, message::json, note, event_id FROM outgoing
  WHERE record NOT IN (SELECT record FROM refusals)
  ORDER BY record, follows, ordinal
)`;

const answer = 'SELECT record, reason, id, detail FROM refusals';

/**
 * For one record of one event, the usual case under low load: half the work of the general statements. The number of inserted rows shows
 * whether the event is stored; returning a row would cost 10 % more. If it is not stored, the general statements find the reason.
 */
const commitEventIf = (condition: string): string => `
INSERT INTO svc_events
  (transaction_id, id, stream_id, position, type, body, timestamp, correlation_id, causation_id, scope, metadata)
SELECT ${firstStatementId}, $1, $2, head + 1, $4, $5, to_timestamp($6::double precision / 1000), $7, $8, $9, $10
FROM (SELECT coalesce(last.position, -1) AS head, last.latest
  FROM (VALUES (1)) AS one LEFT JOIN LATERAL (${lastEventOf('$2')}) last ON true) stream
WHERE ($3::bigint IS NULL OR $3 = head) AND (latest IS NULL OR latest < $1)
  AND NOT EXISTS (SELECT FROM ${receivedFrom('$1')})${condition}`;

export const commitEvent = commitEventIf('');

/** The same for an event whose stream, if it exists, must belong to the tenant in the last parameter. */
export const commitGuardedEvent = commitEventIf(`
  AND (head = -1 OR (SELECT ${tenantOf('first')} FROM svc_events first WHERE stream_id = $2 AND position = 0) = $11)`);

function statements(isGuarded: boolean): CommitStatements {
  return {
    ofEvents: remembered((parts) => eventsStatement(isGuarded, parts)),
    ofMessages: remembered((parts) => messagesStatement(isGuarded, parts)),
  };
}

/** Composes each statement once. */
function remembered(compose: (parts: readonly CommitPart[]) => string): (parts: readonly CommitPart[]) => string {
  const known = new Map<string, string>();
  return (parts) => {
    const names = parts.map(({ name }) => name).join();
    const text = known.get(names) ?? compose(parts);
    known.set(names, text);
    return text;
  };
}

function eventsStatement(isGuarded: boolean, parts: readonly CommitPart[]): string {
  const rare = combinedSql(parts, 2);
  return `
WITH ${eventsWith(isGuarded)},
outgoing AS (${auditNotes}
)${rare.rows},
refusals AS MATERIALIZED (${eventRefusals(isGuarded)}${rare.refusals}
),${insertedEvents},${insertedOutgoing}${rare.writes}
${answer}`;
}

function messagesStatement(isGuarded: boolean, parts: readonly CommitPart[]): string {
  const rare = combinedSql(parts, 6);
  return `
WITH ${eventsWith(isGuarded)},
outgoing AS MATERIALIZED (${auditNotes}
UNION ALL
  SELECT record, true, ordinal, id, lane, destination, message, note, event_id, alone
  FROM ${rowsWithTexts('$3', messageColumns, '$4', { alias: 'message', text: 'message' })}
),
delivered AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($5::jsonb) AS message (record int, id uuid)
),
received AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($6::jsonb) AS message (record int, id uuid)
)${rare.rows},
waiting AS MATERIALIZED (
  SELECT id FROM svc_outbox WHERE id IN (SELECT id FROM delivered) ORDER BY id FOR UPDATE
),
refusals AS MATERIALIZED (${eventRefusals(isGuarded)}
UNION ALL
  SELECT record, 'known message', id, '' FROM outgoing JOIN svc_outbox USING (id) WHERE alone
UNION ALL
  SELECT record, 'known message', id, '' FROM outgoing JOIN svc_events USING (id) WHERE alone
UNION ALL
  SELECT record, 'known message', id, '' FROM outgoing JOIN svc_renewed USING (id) WHERE alone
UNION ALL
  SELECT record, 'settled', id, '' FROM delivered WHERE id NOT IN (SELECT id FROM waiting)
UNION ALL
  SELECT record, 'settled', id, '' FROM received JOIN svc_inbox USING (id)${rare.refusals}
),${insertedEvents},${insertedOutgoing},
deleted_outgoing AS (
  DELETE FROM svc_outbox
  WHERE id IN (SELECT id FROM delivered WHERE record NOT IN (SELECT record FROM refusals))
),
inserted_received AS (
  INSERT INTO svc_inbox (id)
  SELECT id FROM received WHERE record NOT IN (SELECT record FROM refusals)
  ORDER BY id
)${rare.writes}
${answer}`;
}

export const commitStatements = statements(false);
export const guardedCommitStatements = statements(true);

/** Why a record is refused. `id` is that of an event, a message, a stream, or of the command that was committed under the key. */
export interface Refusal {
  readonly record: string;
  readonly reason:
    | 'known event'
    | 'known message'
    | 'known key'
    | 'position'
    | 'late'
    | 'settled'
    | 'tenant'
    | 'term'
    | 'raced';
  readonly id: string;
  /**
   * For a known event: 1 if it is in the same stream. For a position: that of the stream. For a late event: the id it must exceed. For a
   * term: the reaction.
   */
  readonly detail: string;
}
