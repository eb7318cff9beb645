import { smallBodyBytes } from '@svc/core/storage';
import { isReference } from './body-columns.js';

const ids = ['id', 'stream_id', 'correlation_id', "coalesce(causation_id, '')"];
const texts = ['body', "coalesce(scope, '')", 'metadata', 'type'];

/** Whether an event is stored completely and small. */
const isPlain = [
  `octet_length(body) BETWEEN 1 AND ${smallBodyBytes}`,
  'archive IS NULL',
  ...ids.map((id, index) => `octet_length(${id}) ${index === 3 ? 'IN (0, 36)' : '= 36'}`),
  `NOT ${isReference}`,
].join(' AND ');

/** Numbers only, so that no text of an event can pretend to be one. */
const numbers = [
  'sequence',
  'position',
  'timestamp',
  `octet_length(${ids[3]})`,
  ...texts.map((text) => `octet_length(${text})`),
];

const head = 'number, size, last_sequence, checkpoint, hex(frontier) AS frontier';

/** The statements of seals. Bytes are passed as hexadecimal digits. */
export const sealSql = {
  /** Many events in one row, because a row costs the reader more than its content. */
  readLogPage: `
    SELECT min(${isPlain}) AS plain,
      group_concat(printf('${numbers.map(() => '%d').join(' ')} ', ${numbers.join(', ')}), '') AS numbers,
      group_concat(CASE WHEN octet_length(body) <= ${smallBodyBytes} THEN ${[...ids, ...texts].join(' || ')} END, '') AS texts
    FROM svc_events event WHERE sequence > ? AND sequence <= ?`,
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
