/** SQL that makes ids ascend with positions in each stream. */
import { latestIdKey, mostAheadMs } from '@svc/core/storage';

/**
 * The last event of a stream: its position, and the greatest id of the stream. `latestIdKey` is the last key of metadata. Metadata are not
 * parsed: PostgreSQL fails on text that it cannot decode, such as U+0000, and every later append would fail.
 */
export const lastEventOf = (streamId: string): string => `
    SELECT position, coalesce(substring(metadata::text FROM '"${latestIdKey}":"([0-9a-f-]{36})"[}]$')::uuid, id) AS latest
    FROM svc_events WHERE stream_id = ${streamId} ORDER BY position DESC LIMIT 1`;

/** Whether an id is of version 7: only those contain a time. */
export const isTimed = (id: string): string => `substr(${id}::text, 15, 1) = '7'`;

/** The first id of a time in milliseconds. */
const firstIdOf = (time: string): string => `(lpad(to_hex(${time}), 12, '0') || repeat('0', 20))::uuid`;
const now = '(extract(epoch FROM now()) * 1000)::bigint';

/**
 * The messages received from other databases whose ids contain a time and are not less than `from`. Without both limits, a search would read all
 * ids without a time, which can be anywhere.
 */
export const receivedFrom = (from: string): string =>
  `svc_inbox WHERE id >= ${from} AND id < ${firstIdOf(`${now} + ${mostAheadMs}`)} AND ${isTimed('id')}`;

/** The greatest of their ids. */
export const latestReceived = (from: string): string =>
  `(SELECT id FROM ${receivedFrom(from)} ORDER BY id DESC LIMIT 1)`;

/** How long the previous ids of renewed messages are retained: no commit is retried for as long. */
export const longestRetryMs = 3_600_000;

/** Deletes the oldest rows of `svc_renewed`. Their ids contain their age. */
export const forgetRenewed = (limit: string): string => `
  DELETE FROM svc_renewed WHERE id IN (
    SELECT id FROM svc_renewed
    WHERE id < ${firstIdOf(`${now} - ${longestRetryMs}`)}
    ORDER BY id LIMIT ${limit})`;
