const readInstances = (condition: string): string => `
    SELECT * FROM svc_processes
    WHERE (?1 IS NULL OR (started_at, stream_id) > (SELECT started_at, stream_id FROM svc_processes WHERE stream_id = ?1))
      ${condition}
    ORDER BY started_at, stream_id LIMIT ?2`;

/** The statements of processes. */
export const processSql = {
  commitStep: `
    INSERT INTO svc_processes (stream_id, process, tenant, key, events, ignored, started_at, changed_at, completed)
    VALUES (?1, ?2, ?3, ?4, 1 - ?5, ?5, ?6, ?6, ?7)
    ON CONFLICT (stream_id) DO UPDATE SET
      events = events + excluded.events,
      ignored = ignored + excluded.ignored,
      changed_at = excluded.changed_at,
      completed = max(completed, excluded.completed)`,
  readInstances: readInstances(''),
  readOpenInstances: readInstances('AND completed = 0'),
};
