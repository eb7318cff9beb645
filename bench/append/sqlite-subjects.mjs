import { createRequire } from 'node:module';
import { sqlite } from '@svc/sqlite';
import { isMeasured, nextEvent, appendingService } from './events.mjs';

/** @typedef {import('./drive.mjs').Subject} Subject */

const { DatabaseSync } =
  process.getBuiltinModule?.('node:sqlite') ?? createRequire(import.meta.url)('@photostructure/sqlite');

const insertText = `
  INSERT INTO svc_events (sequence, id, stream_id, position, type, body, timestamp, correlation_id, causation_id, scope, metadata)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** @param {string} name @param {string} file @returns {Promise<Subject>} */
export async function openSqliteSubject(name, file) {
  const storage = sqlite({ file });
  await storage.open();
  const counting = new DatabaseSync(file);
  const rows = name.includes('audit') ? 2 : 1;
  const counted = async (/** @type {number} */ appended) => {
    const stored = Number(
      counting.prepare(`SELECT count(*) AS stored FROM svc_events WHERE ${isMeasured}`).get()?.['stored'],
    );
    return { stored, expected: appended * rows };
  };
  if (name === 'sqlite-256') return { concurrency: 1, size: 256, append: batches(file), counted };
  return { concurrency: 256, counted, ...(await appendingService(storage, name)) };
}

/** Transactions of 256 events each. @param {string} file */
function batches(file) {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA synchronous = FULL');
  const insert = database.prepare(insertText);
  let sequence = 0;
  return async () => {
    database.exec('BEGIN IMMEDIATE');
    for (let i = 0; i < 256; i++) {
      const { id, streamId, type, body, timestamp, correlationId, causationId, scope, metadata } = nextEvent();
      const texts = [JSON.stringify(scope), JSON.stringify(metadata)];
      insert.run(sequence++, id, streamId, 0, type, body, timestamp, correlationId, causationId, ...texts);
    }
    database.exec('COMMIT');
  };
}
