/** The upper limits: batches of prepared events, without checks and without an answer per event. */
import { once } from 'node:events';
import { from as copyFrom } from 'pg-copy-streams';
import { nextEvent, rowOf } from './events.mjs';

/** @typedef {import('pg').Pool} Pool */

const batchText = `
  INSERT INTO svc_events (id, stream_id, position, type, body, timestamp, correlation_id, causation_id, scope, metadata)
  SELECT id, stream_id, 0, type, body::json, to_timestamp(timestamp / 1000), correlation_id, causation_id, scope::json,
    metadata::json
  FROM jsonb_to_recordset($1::jsonb) AS event (
    id uuid, stream_id uuid, type text, body text, timestamp double precision, correlation_id uuid, causation_id uuid,
    scope text, metadata text)`;

/** Inserts a batch in one statement. @param {Pool} pool @param {number} size */
export function insertBatch(pool, size) {
  const rows = Array.from({ length: size }, () => rowOf(nextEvent()));
  return pool.query({ name: 'batch', text: batchText, values: [JSON.stringify(rows)] });
}

const copyText = `
  COPY svc_events (id, stream_id, position, type, body, timestamp, correlation_id, causation_id, scope, metadata)
  FROM STDIN`;

/** Copies a batch in. @param {Pool} pool @param {number} size */
export async function copyBatch(pool, size) {
  const client = await pool.connect();
  const stream = client.query(copyFrom(copyText));
  let text = '';
  for (let i = 0; i < size; i++) text += copyLine(rowOf(nextEvent()));
  stream.end(text);
  await once(stream, 'finish');
  client.release();
}

/** @param {ReturnType<typeof rowOf>} row */
function copyLine({ id, stream_id, type, body, timestamp, correlation_id, causation_id, scope, metadata }) {
  const time = new Date(timestamp).toISOString();
  const fields = [id, stream_id, '0', type, body, time, correlation_id, causation_id, scope, metadata];
  return `${fields.map((field) => field?.replaceAll('\\', '\\\\') ?? '\\N').join('\t')}\n`;
}
