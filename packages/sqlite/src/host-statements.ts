/** The statements of hosts and their activity. */
export const hostSql = {
  recordHost: `
    INSERT INTO svc_hosts (id, process, version, library, started_at, every_ms, seen_at) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE
    SET version = excluded.version, started_at = excluded.started_at, every_ms = excluded.every_ms, seen_at = excluded.seen_at`,
  recordActivity: `
    INSERT INTO svc_host_activity (at, host, version, commands, rejected, failed, durations) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (at, host) DO UPDATE
    SET version = excluded.version, commands = excluded.commands, rejected = excluded.rejected, failed = excluded.failed,
      durations = excluded.durations`,
  forgetHosts: 'DELETE FROM svc_hosts WHERE seen_at < ?',
  forgetActivity: 'DELETE FROM svc_host_activity WHERE at < ?',
  removeHost: 'DELETE FROM svc_hosts WHERE id = ?',
  readHosts: 'SELECT * FROM svc_hosts WHERE seen_at > ?1 - ?2 * every_ms ORDER BY started_at, id LIMIT 1000',
  readActivity: `
    WITH recorded AS (SELECT *, at / ?3 * ?3 AS step FROM svc_host_activity WHERE at >= ?1 AND at < ?2),
    counted AS (
      SELECT step, version, duration.key AS bucket, sum(duration.value) AS number
      FROM recorded, json_each(durations) AS duration GROUP BY step, recorded.version, bucket)
    SELECT step, version, sum(commands) AS commands, sum(rejected) AS rejected, sum(failed) AS failed,
      (SELECT json_group_object(bucket, number) FROM counted
        WHERE counted.step = recorded.step AND counted.version IS recorded.version) AS durations
    FROM recorded GROUP BY step, version ORDER BY step, version`,
};
