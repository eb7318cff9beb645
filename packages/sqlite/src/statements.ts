import { SystemEventStream } from '@svc/core';
import { eventAuditedType, latestIdKey, referenceBody, streamTenantKey } from '@svc/core/storage';
import { auditSql } from './audit-statements.js';
import type { Database, Statement } from './engine.js';
import { hostSql } from './host-statements.js';
import { sealSql } from './seal-statements.js';
import { processSql } from './process-statements.js';
import { reactionSql } from './reaction-statements.js';
import { scheduleSql } from './schedule-statements.js';
import { isReference, smallBody, unlessLarge } from './body-columns.js';

const eventColumns =
  'sequence, id, stream_id, position, type, body, timestamp, correlation_id, causation_id, scope, metadata';

/** Without large bodies, which `withLargeBodies` fetches, and archived ones, which `withArchivedBodies` does. */
const readColumns = eventColumns
  .split(', ')
  .map((column) => (column === 'body' ? `${smallBody} AS body` : `event.${column}`))
  .concat('event.archive')
  .join(', ');

/** The tenant of an event, as in core's `tenantOfEvent`. */
const tenant = `coalesce(metadata->>'$.${streamTenantKey}', scope->>'$.tenantId', '')`;

/** That of the event that an audit record is about, if the record is stored by reference. */
const tenantOfPlace = `
    CASE WHEN ${isReference} THEN (SELECT ${tenant} FROM svc_events WHERE id = event.causation_id) ELSE ${tenant} END`;

const outgoing = `
    SELECT o.id AS outgoing_id, o.destination, o.note, o.event_id,
      CASE WHEN o.event_id IS NULL THEN ${unlessLarge('o.message')} ELSE o.message END AS message, ${readColumns}
    FROM svc_outbox o LEFT JOIN svc_events event ON event.id = o.event_id`;

const sql = {
  ...reactionSql,
  ...processSql,
  ...auditSql,
  ...sealSql,
  ...hostSql,
  ...scheduleSql,
  streamOfEvent: 'SELECT stream_id, position FROM svc_events WHERE id = ?',
  placeOfEvent: `SELECT sequence, ${tenantOfPlace} AS tenant FROM svc_events event WHERE id = ?`,
  tenantOfStream: `SELECT ${tenant} AS tenant FROM svc_events WHERE stream_id = ? AND position = 0`,
  lastPosition: 'SELECT MAX(position) AS last FROM svc_events WHERE stream_id = ?',
  heads: `
    SELECT json_group_array(
      (SELECT json_array(position, coalesce(metadata->>'$.${latestIdKey}', id)) FROM svc_events
       WHERE stream_id = wanted.value ORDER BY position DESC LIMIT 1) ORDER BY wanted.key
    ) AS heads
    FROM json_each(?) wanted`,
  latestReceived: `
    SELECT id AS latest FROM svc_inbox WHERE id >= ? AND id < ? AND substr(id, 15, 1) = '7' ORDER BY id DESC LIMIT 1`,
  tenantsOfStreams: `
    SELECT json_group_array(
      (SELECT ${tenant} FROM svc_events WHERE stream_id = wanted.value AND position = 0) ORDER BY wanted.key
    ) AS tenants
    FROM json_each(?) wanted`,
  sampleEvents: `
    WITH sampled AS (
      SELECT * FROM (SELECT type, id, sequence FROM svc_events ORDER BY sequence LIMIT 2000)
      UNION SELECT * FROM (SELECT type, id, sequence FROM svc_events ORDER BY sequence DESC LIMIT 2000)
    )
    SELECT json_group_array(json_object('type', type, 'id', id) ORDER BY sequence) AS events FROM sampled
    WHERE sequence IN (SELECT min(sequence) FROM sampled GROUP BY type UNION SELECT max(sequence) FROM sampled GROUP BY type)`,
  lastSequence: 'SELECT MAX(sequence) AS last FROM svc_events',
  insertAuditReference: `
    INSERT INTO svc_events (${eventColumns})
    VALUES (?, ?, '${SystemEventStream.streamId}', ?, '${eventAuditedType}', '${referenceBody}', ?, ?, ?, NULL, ?)`,
  insertEvent: `INSERT INTO svc_events (${eventColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,

  readStream: `SELECT ${readColumns} FROM svc_events event WHERE stream_id = ? AND position >= ? ORDER BY position LIMIT ?`,
  readPositions: `
    SELECT ${readColumns} FROM svc_events event
    WHERE stream_id = ? AND position IN (SELECT value FROM json_each(?)) ORDER BY position`,
  readSequences: `SELECT ${readColumns} FROM svc_events event WHERE sequence IN (SELECT value FROM json_each(?))`,
  readAll: `SELECT ${readColumns} FROM svc_events event WHERE sequence > ? ORDER BY sequence LIMIT ?`,
  endOfPage:
    'SELECT MAX(sequence) AS last, COUNT(*) AS found FROM (SELECT sequence FROM svc_events WHERE sequence > ? ORDER BY sequence LIMIT ?)',
  readTypes: `
    SELECT ${readColumns} FROM svc_events event
    WHERE sequence > ? AND sequence <= ? AND type IN (SELECT value FROM json_each(?)) ORDER BY sequence`,
  countEvents: `
    SELECT COUNT(*) AS events FROM svc_events
    WHERE sequence > ? AND sequence <= ? AND type IN (SELECT value FROM json_each(?))`,
  streamEnds: `
    SELECT stream_id, MAX(sequence) AS last FROM svc_events
    WHERE sequence > ? AND sequence <= ? AND type IN (SELECT value FROM json_each(?)) GROUP BY stream_id`,
  findEvent: `SELECT ${readColumns} FROM svc_events event WHERE id = ?`,
  findStored: `SELECT ${eventColumns}, archive FROM svc_events WHERE id = ?`,
  bodyOfEvent: 'SELECT body FROM svc_events WHERE sequence = ?',

  readArchives: 'SELECT * FROM svc_archives ORDER BY number',
  findArchive: 'SELECT * FROM svc_archives WHERE number = ?',
  insertArchive: `
    INSERT INTO svc_archives (number, name, sha256, events, bytes, first_sequence, last_sequence, archived_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  archiveEvents: `
    UPDATE svc_events AS event SET body = '', archive = ?
    WHERE sequence IN (SELECT value FROM json_each(?)) AND archive IS NULL AND NOT ${isReference}`,
  // Audit records that refer to an event have no body.
  countReferences: `
    SELECT count(*) AS found FROM svc_events event WHERE sequence IN (SELECT value FROM json_each(?)) AND ${isReference}`,
  // Retained tables belong to processes of another version, which may never catch up.
  perspectiveBehind: `
    SELECT perspective FROM svc_perspectives WHERE role <> 'retained' AND sequence < ? ORDER BY perspective LIMIT 1`,
  countWaitingEvents: `
    SELECT count(*) AS messages FROM svc_outbox JOIN svc_events event ON event.id = svc_outbox.event_id WHERE event.sequence <= ?`,

  isWaiting: 'SELECT 1 FROM svc_outbox WHERE id = ?',
  lastOutgoing: 'SELECT MAX(sequence) AS last FROM svc_outbox WHERE lane = ?',
  insertOutgoing: `
    INSERT INTO svc_outbox (lane, sequence, id, destination, message, note, event_id) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  countWaiting: 'SELECT count(*) AS waiting FROM json_each(?) wanted JOIN svc_outbox ON svc_outbox.id = wanted.value',
  deleteOutgoing: 'DELETE FROM svc_outbox WHERE svc_outbox.id IN (SELECT value FROM json_each(?))',
  readOutgoing: `${outgoing} WHERE o.lane = ? ORDER BY o.sequence LIMIT ?`,
  countOutgoing: `
    SELECT count(*) AS waiting, (SELECT id FROM svc_outbox WHERE lane = ?1 ORDER BY sequence LIMIT 1) AS first
    FROM (SELECT 1 FROM svc_outbox WHERE lane = ?1 LIMIT ?2)`,
  readOutgoingBehind: `
    ${outgoing} WHERE o.lane = ? AND o.sequence > (SELECT sequence FROM svc_outbox WHERE id = ?) ORDER BY o.sequence LIMIT ?`,
  readRewinds: 'SELECT rewind FROM svc_rewinds WHERE lane = ?',
  insertRewind: 'INSERT OR IGNORE INTO svc_rewinds (lane, stream_id, rewind) VALUES (?, ?, ?)',
  deleteRewind: 'DELETE FROM svc_rewinds WHERE lane = ? AND rewind = ?',
  isRenewed: 'SELECT 1 FROM svc_renewed WHERE id = ?',
  insertRenewed: 'INSERT INTO svc_renewed (id) SELECT value FROM json_each(?)',
  forgetRenewed: 'DELETE FROM svc_renewed WHERE id IN (SELECT id FROM svc_renewed WHERE id < ? ORDER BY id LIMIT 2000)',
  messageOfOutgoing: 'SELECT message FROM svc_outbox WHERE id = ?',

  isReceived: 'SELECT 1 FROM svc_inbox WHERE id = ?',
  countReceived: 'SELECT count(*) AS received FROM json_each(?) wanted JOIN svc_inbox ON svc_inbox.id = wanted.value',
  insertReceived: 'INSERT INTO svc_inbox (id, received_at) SELECT value, ? FROM json_each(?)',

  commandUnderKey: 'SELECT message_id FROM svc_idempotency WHERE id = ?',
  insertIdempotent:
    'INSERT INTO svc_idempotency (id, request_hash, message_id, result, kept_at, last_event_id) VALUES (?, ?, ?, ?, ?, ?)',
  findIdempotent:
    'SELECT id, request_hash, message_id, result, kept_at, last_event_id FROM svc_idempotency WHERE id = ?',
  forgetIdempotent: 'DELETE FROM svc_idempotency WHERE id = ? AND kept_at = ?',

  forgetReceived:
    'DELETE FROM svc_inbox WHERE id IN (SELECT id FROM svc_inbox WHERE received_at <= ? ORDER BY received_at LIMIT ?)',
  forgetOldKeys:
    'DELETE FROM svc_idempotency WHERE id IN (SELECT id FROM svc_idempotency WHERE kept_at <= ? ORDER BY kept_at LIMIT ?)',
  forgetOperations: `
    DELETE FROM svc_operations WHERE id IN (
      SELECT id FROM svc_operations
      WHERE requested_at <= ?1 AND (finished_at IS NOT NULL OR (state = 'waiting' AND started_at IS NULL AND wait_until <= ?2))
      ORDER BY requested_at LIMIT ?3)`,
  ping: 'SELECT count(*) FROM sqlite_schema',

  standings: `
    SELECT wanted.value->>'name' AS perspective, coalesce(own.sequence, live.sequence, -1) AS sequence,
      (SELECT count(*) FROM svc_perspectives_stopped
       WHERE perspective = coalesce(own.name, wanted.value->>'name')) AS stopped,
      (SELECT count(*) FROM (
        SELECT 1 FROM svc_events WHERE sequence > coalesce(own.sequence, live.sequence, -1) LIMIT ?)) AS behind,
      (SELECT timestamp FROM svc_events WHERE sequence > coalesce(own.sequence, live.sequence, -1)
       ORDER BY svc_events.sequence LIMIT 1) AS oldest
    FROM json_each(?) wanted
    LEFT JOIN svc_perspectives live ON live.name = wanted.value->>'name'
    -- The retained tables of this process's version, if tables of another version serve.
    LEFT JOIN svc_perspectives own ON own.perspective = wanted.value->>'name' AND own.role = 'retained'
      AND own.definition->>'$.version' = wanted.value->>'version'
      AND live.definition->>'$.version' <> wanted.value->>'version'`,

  findLease: 'SELECT holder, process, expires_at FROM svc_leases WHERE lane = ?',
  takeLease: 'INSERT OR REPLACE INTO svc_leases (lane, holder, process, expires_at) VALUES (?, ?, ?, ?)',
  findLeases:
    'SELECT lane, holder, process, expires_at FROM svc_leases WHERE substr(lane, 1, length(?)) = ? ORDER BY lane',
  removeExpiredLeases: 'DELETE FROM svc_leases WHERE expires_at < ?',
  releaseLease: 'DELETE FROM svc_leases WHERE holder = ? AND lane = ?',
  releaseLeases: 'DELETE FROM svc_leases WHERE holder = ?',
  dataVersion: 'PRAGMA data_version',

  isDeadLetter: 'SELECT 1 FROM svc_dead_letters WHERE id = ?',
  insertDeadLetter: 'INSERT INTO svc_dead_letters (id, direction, cause, message_id, record) VALUES (?, ?, ?, ?, ?)',
  deleteDeadLetter: 'DELETE FROM svc_dead_letters WHERE id = ?',
  findDeadLetter: 'SELECT record FROM svc_dead_letters WHERE id = ?',
  countDeadLetters: `
    SELECT count(*) AS letters FROM (
      SELECT 1 FROM svc_dead_letters WHERE cause IN (SELECT value FROM json_each(?)) LIMIT ?)`,
  countDeadLettersByCause: `
    SELECT cause, count(*) AS letters FROM (SELECT cause FROM svc_dead_letters LIMIT ?) GROUP BY cause`,
  readDeadLetters: 'SELECT record FROM svc_dead_letters WHERE id > ? ORDER BY id LIMIT ?',

  findSnapshot: `
    SELECT position, event_id, state, checksum FROM svc_decider_snapshots
    WHERE decider = ? AND stream_id = ? AND version = ?`,
  storeSnapshot: `
    INSERT INTO svc_decider_snapshots (decider, stream_id, version, position, event_id, state, checksum)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (decider, stream_id, version) DO UPDATE
    SET position = excluded.position, event_id = excluded.event_id, state = excluded.state, checksum = excluded.checksum
    WHERE position <= excluded.position`,
  subjectKeys: `
    SELECT id, subject, wrapped FROM svc_subject_keys
    WHERE wrapped IS NOT NULL AND subject IN (SELECT value FROM json_each(?))`,
  subjectKeysById: 'SELECT id, subject, wrapped FROM svc_subject_keys WHERE id IN (SELECT value FROM json_each(?))',
  addSubjectKey: `
    INSERT INTO svc_subject_keys (id, subject, wrapped) VALUES (?, ?, ?)
    ON CONFLICT (subject) WHERE wrapped IS NOT NULL DO NOTHING`,
  destroySubjectKey: 'UPDATE svc_subject_keys SET wrapped = NULL WHERE subject = ?',
  subjectKeyIds: 'SELECT id FROM svc_subject_keys WHERE subject = ?',
  removeSealedSnapshots: removeSealed('svc_decider_snapshots', 'state'),
  removeSealedResults: removeSealed('svc_idempotency', 'result'),
  removeSealedDeadLetters: removeSealed('svc_dead_letters', 'record'),
  removeSnapshots:
    'DELETE FROM svc_decider_snapshots WHERE decider = ? AND stream_id = ? AND version <> ? AND position < ?',
  expireOperations: `
    UPDATE svc_operations SET state = 'expired', finished_at = ?1
    WHERE finished_at IS NULL AND state = 'waiting' AND started_at IS NULL AND wait_until <= ?1`,
  operationInTheWay: 'SELECT * FROM svc_operations WHERE alone = ? AND finished_at IS NULL',
  insertOperation: `
    INSERT INTO svc_operations (id, kind, target, arguments, requested_by, requested_at, wait_until, alone)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  findOperation: 'SELECT * FROM svc_operations WHERE id = ?',
  openOperations: 'SELECT * FROM svc_operations WHERE finished_at IS NULL ORDER BY id LIMIT ?',
  endedOperations: `
    SELECT * FROM svc_operations
    WHERE finished_at IS NOT NULL OR (state = 'waiting' AND started_at IS NULL AND wait_until <= ?1)
    ORDER BY id DESC LIMIT ?2`,
  claimOperation: `
    UPDATE svc_operations SET
      state = CASE state WHEN 'waiting' THEN 'running' ELSE state END, holder = ?, held_until = ?, attempts = attempts + 1,
      started_at = coalesce(started_at, ?)
    WHERE id = ? AND finished_at IS NULL AND (started_at IS NOT NULL OR wait_until > ?)
      AND (holder IS NULL OR held_until <= ? OR holder = ?)
    RETURNING *`,
  renewOperation: `
    UPDATE svc_operations SET held_until = ?, progress = ? WHERE id = ? AND holder = ? AND finished_at IS NULL RETURNING state`,
  finishOperation: `
    UPDATE svc_operations SET state = ?, result = ?, error = ?, finished_at = ?
    WHERE id = ? AND holder = ? AND finished_at IS NULL`,
  releaseOperation: `
    UPDATE svc_operations SET
      state = CASE state WHEN 'running' THEN 'waiting' ELSE state END, holder = NULL, held_until = NULL, attempts = attempts - 1
    WHERE id = ? AND holder = ? AND finished_at IS NULL`,
  cancelOperation: 'UPDATE svc_operations SET state = ?, finished_at = ? WHERE id = ?',
} as const;

/** All statements, prepared. */
export type Statements = Readonly<Record<keyof typeof sql, Statement>>;

export function prepare(database: Database): Statements {
  const prepared = Object.entries(sql).map(([name, text]) => [name, database.prepare(text)]);
  return Object.fromEntries(prepared) as Statements;
}

/** The same statements, each prepared at its first use, so that not all tables must exist. */
export function preparedWhenUsed(database: Pick<Database, 'prepare'>): Statements {
  const prepared = {};
  for (const [name, text] of Object.entries(sql)) {
    let statement: Statement | undefined;
    Object.defineProperty(prepared, name, { get: () => (statement ??= database.prepare(text)) });
  }
  return prepared as Statements;
}

/** Removes the rows with values that are encrypted with one of the keys. */
function removeSealed(table: string, column: string): string {
  return `DELETE FROM ${table} WHERE EXISTS (
    SELECT 1 FROM json_each(?1) AS key WHERE instr(${table}.${column}, 'svc-personal:1:' || key.value || ':') > 0)`;
}
