/** The statements over the scheduled commands. Those that claim read an index by type, so that commands of other types cost nothing. */
export const scheduleSql = {
  isScheduled: 'SELECT 1 FROM svc_scheduled WHERE id = ?',
  insertScheduled: `
    INSERT INTO svc_scheduled (id, tenant, key, type, message, due_at, claimable_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)`,
  deleteScheduled: 'DELETE FROM svc_scheduled WHERE id = ?',
  deleteScheduledKey: 'DELETE FROM svc_scheduled WHERE tenant = ? AND key = ?',
  claimScheduled: `
    UPDATE svc_scheduled SET claimable_at = ?1, holder = ?2
    WHERE id IN (
      SELECT due.id FROM (
        SELECT value AS type, (SELECT claimable_at FROM svc_scheduled WHERE type = value ORDER BY claimable_at LIMIT 1) AS first
        FROM json_each(?4) WHERE first <= ?3 ORDER BY first LIMIT ?5) AS wanted
      JOIN svc_scheduled AS due ON due.id IN (
        SELECT id FROM svc_scheduled WHERE type = wanted.type AND claimable_at <= ?3 ORDER BY claimable_at, id LIMIT ?5)
      ORDER BY due.claimable_at, due.id LIMIT ?5)
    RETURNING *`,
  nextScheduled: `
    SELECT min((SELECT claimable_at FROM svc_scheduled WHERE type = wanted.value ORDER BY claimable_at LIMIT 1)) AS claimable_at
    FROM json_each(?) AS wanted`,
  renewScheduled:
    'UPDATE svc_scheduled SET claimable_at = ? WHERE holder = ? AND id IN (SELECT value FROM json_each(?))',
  retryScheduled: `
    UPDATE svc_scheduled SET
      attempts = attempts + 1, first_failed_at = coalesce(first_failed_at, ?1), claimable_at = ?1 + ?2, holder = NULL
    WHERE id = ?3 AND holder = ?4`,
  readScheduled: 'SELECT * FROM svc_scheduled ORDER BY due_at, id LIMIT ?',
  readScheduledAfter: `
    SELECT * FROM svc_scheduled WHERE (due_at, id) > (SELECT due_at, id FROM svc_scheduled WHERE id = ?)
    ORDER BY due_at, id LIMIT ?`,
  readScheduledKeys: 'SELECT * FROM svc_scheduled WHERE tenant = ? AND key >= ? AND key < ?',
  scheduledTypes: `
    WITH RECURSIVE stored (type) AS (
      SELECT min(type) FROM svc_scheduled
      UNION ALL
      SELECT (SELECT min(type) FROM svc_scheduled WHERE type > stored.type) FROM stored WHERE type IS NOT NULL)
    SELECT type FROM stored WHERE type IS NOT NULL`,
  findScheduled: 'SELECT * FROM svc_scheduled WHERE id = ?',
  makeScheduledDue: `
    UPDATE svc_scheduled SET due_at = min(due_at, ?1), claimable_at = ?1, holder = NULL
    WHERE id = ?2 AND (holder IS NULL OR claimable_at <= ?1)`,
  scheduleStanding: `
    SELECT (SELECT count(*) FROM (SELECT 1 FROM svc_scheduled WHERE due_at < ?1 LIMIT ?2)) AS overdue,
      (SELECT due_at FROM svc_scheduled WHERE due_at < ?1 ORDER BY due_at LIMIT 1) AS first`,
} as const;
