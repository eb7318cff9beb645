/** The statements of the storage itself: events by stream and id, idempotency keys, dead letters, and what expires. */
import { joinOriginal } from './audit-references.js';
import { largeEventBodies } from './large-bodies.js';
import type { Row } from './row.js';
import { eventColumns, tenantOf } from './rows.js';

export const streamStatement = `
  SELECT ${eventColumns} FROM (
    SELECT * FROM svc_events WHERE stream_id = $1 AND position >= $2 ORDER BY position LIMIT $3
  ) event ${joinOriginal} ORDER BY event.position`;

export const positionsStatement = `
  SELECT ${eventColumns} FROM svc_events event ${joinOriginal}
  WHERE event.stream_id = $1 AND event.position = ANY($2::bigint[]) ORDER BY event.position`;

export const largeStreamBodies = { ...largeEventBodies, idOf: ({ id }: Row) => id! };

export const findEventStatement = `SELECT ${eventColumns} FROM svc_events event ${joinOriginal} WHERE event.id = $1`;

export const findPlaceStatement = `
  SELECT event.sequence, event.transaction_id,
    CASE WHEN original.id IS NULL THEN ${tenantOf('event')} ELSE ${tenantOf('original')} END AS tenant
  FROM svc_events event ${joinOriginal} WHERE event.id = $1`;

export const tenantOfStatement = `
  SELECT ${tenantOf('event')} AS tenant FROM svc_events event WHERE stream_id = $1 AND position = 0`;

/** No index has the types of all events. */
export const sampleEventsStatement = `
  WITH sampled AS (
    SELECT * FROM (SELECT type, id, sequence FROM svc_events ORDER BY sequence LIMIT 2000) oldest
    UNION SELECT * FROM (SELECT type, id, sequence FROM svc_events ORDER BY sequence DESC LIMIT 2000) newest
  )
  SELECT type, id FROM sampled
  WHERE sequence IN (SELECT min(sequence) FROM sampled GROUP BY type UNION SELECT max(sequence) FROM sampled GROUP BY type)
  ORDER BY sequence`;

export const placeAtStatement = 'SELECT sequence, transaction_id FROM svc_events WHERE sequence = $1';

export const lastPositionStatement =
  'SELECT position FROM svc_events WHERE stream_id = $1 ORDER BY position DESC LIMIT 1';

export const positionOfStatement = 'SELECT position FROM svc_events WHERE stream_id = $1 AND id = $2';

export const findIdempotentStatement = `
  WITH forgotten AS (
    DELETE FROM svc_idempotency WHERE id = $1 AND kept_at <= now() - $2 * interval '1 millisecond'
  )
  SELECT id, request_hash, message_id, result, last_event_id FROM svc_idempotency
  WHERE id = $1 AND kept_at > now() - $2 * interval '1 millisecond'`;

export const forgetReceivedStatement = `
  DELETE FROM svc_inbox WHERE id IN (
    SELECT id FROM svc_inbox WHERE received_at <= now() - $1 * interval '1 millisecond' ORDER BY received_at LIMIT $2)
  RETURNING id`;

export const forgetKeysStatement = `
  DELETE FROM svc_idempotency WHERE id IN (
    SELECT id FROM svc_idempotency WHERE kept_at <= now() - $1 * interval '1 millisecond' ORDER BY kept_at LIMIT $2)
  RETURNING id`;

export const readDeadLettersStatement = 'SELECT record FROM svc_dead_letters WHERE id > $1 ORDER BY id LIMIT $2';
/** Smaller than every id. */
export const noId = '00000000-0000-0000-0000-000000000000';

export const countDeadLettersStatement = `
  SELECT count(*) AS letters
  FROM (SELECT 1 FROM svc_dead_letters WHERE cause = ANY($1::text[]) LIMIT $2) AS counted`;

/** In milliseconds since 1970. */
export const clockStatement = 'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now';
