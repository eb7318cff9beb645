/** SQL that makes ids ascend with positions in each stream. */
import { latestIdKey } from '@svc/core/storage';

/**
 * The last event of a stream: its position, and the greatest id of the stream. `latestIdKey` is the last key of metadata. Metadata are not
 * parsed: PostgreSQL fails on text that it cannot decode, such as U+0000, and every later append would fail.
 */
export const lastEventOf = (streamId: string): string => `
    SELECT position, coalesce(substring(metadata::text FROM '"${latestIdKey}":"([0-9a-f-]{36})"[}]$')::uuid, id) AS latest
    FROM svc_events WHERE stream_id = ${streamId} ORDER BY position DESC LIMIT 1`;

/** The greatest id of the messages received from other databases. */
export const latestReceived = '(SELECT id FROM svc_inbox ORDER BY id DESC LIMIT 1)';

/** Only ids of version 7 carry a time. */
export const versionOf = (id: string): string => `substr(${id}::text, 15, 1)`;

/** How many old rows of `svc_renewed` are deleted when rows are added. No commit is retried for as long as `longestRetryMs`. */
const forgottenAtOnce = 2_000;
export const longestRetryMs = 3_600_000;

/** Deletes the oldest rows of `svc_renewed`. Their ids contain their age. */
export const forgetRenewed = `
  DELETE FROM svc_renewed WHERE id IN (
    SELECT id FROM svc_renewed
    WHERE id < (lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint - ${longestRetryMs}), 12, '0') || repeat('0', 20))::uuid
    ORDER BY id LIMIT ${forgottenAtOnce})`;
