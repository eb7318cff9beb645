/** What statements that append look at, so that ids ascend with positions in each stream. */
import { latestIdKey } from '@svc/core/storage';

/**
 * The last event of a stream: its position, and the greatest id of the stream. `latestIdKey` is the last of the metadata that have it. They are
 * not parsed: PostgreSQL fails at text that it cannot decode, as U+0000, and nothing could be appended behind it.
 */
export const lastEventOf = (streamId: string): string => `
    SELECT position, coalesce(substring(metadata::text FROM '"${latestIdKey}":"([0-9a-f-]{36})"[}]$')::uuid, id) AS latest
    FROM svc_events WHERE stream_id = ${streamId} ORDER BY position DESC LIMIT 1`;

/** The greatest id of the messages that came from elsewhere. */
export const latestReceived = '(SELECT id FROM svc_inbox ORDER BY id DESC LIMIT 1)';

/** Only ids of version 7 carry a time. */
export const versionOf = (id: string): string => `substr(${id}::text, 15, 1)`;

/** How many old rows of `svc_renewed` are removed when new ones are added. They outlive by far every commit that is still tried again. */
const forgottenAtOnce = 2_000;
export const longestRetryMs = 3_600_000;

/** Removes what `svc_renewed` has had for long: its ids tell their age. */
export const forgetRenewed = `
  DELETE FROM svc_renewed WHERE id IN (
    SELECT id FROM svc_renewed
    WHERE id < (lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint - ${longestRetryMs}), 12, '0') || repeat('0', 20))::uuid
    ORDER BY id LIMIT ${forgottenAtOnce})`;
