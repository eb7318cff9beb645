const head = 'number, size, last_sequence, checkpoint, hex(frontier) AS frontier';

/** The statements of seals. Bytes are passed as hexadecimal digits. */
export const sealSql = {
  lastSeal: `SELECT ${head} FROM svc_seals ORDER BY number DESC LIMIT 1`,
  readSeals: `SELECT ${head}, hex(entries) AS entries FROM svc_seals WHERE number > ? ORDER BY number LIMIT ?`,
  insertSeal: `
    INSERT INTO svc_seals (number, size, last_sequence, checkpoint, frontier, entries)
    VALUES (?, ?, ?, ?, unhex(?), unhex(?))`,
  readSealAnchors: 'SELECT anchor, number FROM svc_seal_anchors',
  recordSealAnchor: `
    INSERT INTO svc_seal_anchors (anchor, number) VALUES (?1, ?2)
    ON CONFLICT (anchor) DO UPDATE SET number = max(number, excluded.number)`,
};
