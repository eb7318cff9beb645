import { postgres } from '@svc/postgres';
import pg from 'pg';
import { copyBatch, insertBatch } from './batch-subjects.mjs';
import { openEmmett } from './emmett-subject.mjs';
import { isMeasured, nextEvent, appendingService, rowOf } from './events.mjs';

/** @typedef {import('./drive.mjs').Subject} Subject */

const insertText = `
  INSERT INTO svc_events (id, stream_id, position, type, body, timestamp, correlation_id, causation_id, scope, metadata)
  VALUES ($1, $2, 0, $3, $4, to_timestamp($5::double precision / 1000), $6, $7, $8, $9)`;

/** What one would write by hand: positions checked per event, results matched by id. */
const groupText = `
  WITH event AS (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS event (
      id uuid, stream_id uuid, expected bigint, type text, body text, timestamp double precision, correlation_id uuid,
      causation_id uuid, scope text, metadata text)
  )
  INSERT INTO svc_events (id, stream_id, position, type, body, timestamp, correlation_id, causation_id, scope, metadata)
  SELECT id, stream_id, expected + 1, type, body::json, to_timestamp(timestamp / 1000), correlation_id, causation_id,
    scope::json, metadata::json
  FROM event
  WHERE coalesce((SELECT max(position) FROM svc_events existing WHERE existing.stream_id = event.stream_id), -1) = expected
  ON CONFLICT DO NOTHING RETURNING id`;

/** @param {string} name @param {string} url @returns {Promise<Subject>} */
export async function openPostgresSubject(name, url) {
  const concurrency = Number(/\d+$/.exec(name)?.[0]);
  if (name.startsWith('emmett')) return openEmmett(concurrency, url);
  const storage = postgres(name.includes('roles') ? { url: await runtimeUrl(url), separateRoles: true } : { url });
  await storage.open();
  const pool = new pg.Pool({ connectionString: url, max: name === 'pg-insert-32' ? 32 : 2 });
  const counted = countedIn(pool, name.includes('audit') ? 2 : 1);
  if (name.startsWith('pg-insert')) return { concurrency, append: () => insert(pool), counted };
  if (name === 'pg-transaction-1') return { concurrency, append: () => transaction(pool), counted };
  if (name.startsWith('pg-batch') || name.startsWith('pg-copy')) {
    const size = concurrency;
    const batch = name.startsWith('pg-copy') ? copyBatch : insertBatch;
    return { concurrency: 2, size, append: () => batch(pool, size), counted };
  }
  if (name === 'pg-group-256') return { concurrency, append: groupCommit(pool), counted };
  return { concurrency, counted, ...(await appendingService(storage, name)) };
}

/** Separates the roles of the database. @param {string} url that of the owner @returns {Promise<string>} that of the runtime role */
async function runtimeUrl(url) {
  const runtime = new URL(url);
  [runtime.username, runtime.password] = [`${runtime.pathname.slice(1)}_runtime`, 'runtime'];
  const owner = postgres({ url });
  await owner.open();
  await owner.roles.apply(await owner.roles.plan({ runtime: runtime.username }));
  await owner.close();
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`ALTER ROLE ${runtime.username} PASSWORD '${runtime.password}'`);
  await client.end();
  return runtime.href;
}

/** @param {pg.Pool} pool @param {number} rows */
function countedIn(pool, rows) {
  return async (/** @type {number} */ appended) => {
    const {
      rows: [row],
    } = await pool.query(`SELECT count(*)::int AS stored FROM svc_events WHERE ${isMeasured}`);
    return { stored: row.stored, expected: appended * rows };
  };
}

/** @param {pg.Pool | pg.PoolClient} client */
function insert(client, event = nextEvent()) {
  const { id, streamId, type, body, timestamp, correlationId, causationId, scope, metadata } = event;
  const values = [
    id,
    streamId,
    type,
    body,
    timestamp,
    correlationId,
    causationId,
    JSON.stringify(scope),
    JSON.stringify(metadata),
  ];
  return client.query({ name: 'insert', text: insertText, values });
}

/** @param {pg.Pool} pool */
async function transaction(pool) {
  const event = nextEvent();
  const client = await pool.connect();
  await client.query('BEGIN');
  const text = 'SELECT max(position) AS position FROM svc_events WHERE stream_id = $1';
  const { rows } = await client.query({ name: 'position', text, values: [event.streamId] });
  if (rows[0].position !== null) throw new Error('The stream is not new.');
  await insert(client, event);
  await client.query('COMMIT');
  client.release();
}

/** @param {pg.Pool} pool */
function groupCommit(pool) {
  /** @type {{ event: ReturnType<typeof nextEvent>, resolve: (value?: unknown) => void, reject: (error: unknown) => void }[]} */
  const queue = [];
  const state = { underWay: 0, scheduled: false };
  const schedule = () => {
    if (state.scheduled) return;
    state.scheduled = true;
    setImmediate(() => {
      state.scheduled = false;
      while (queue.length > 0 && state.underWay < 2) {
        void run(queue.splice(0, Math.ceil(queue.length / (2 - state.underWay))));
      }
    });
  };
  const run = async (/** @type {typeof queue} */ batch) => {
    state.underWay++;
    try {
      const values = [JSON.stringify(batch.map(({ event }) => rowOf(event)))];
      const { rows } = await pool.query({ name: 'group', text: groupText, values });
      const stored = new Set(rows.map(({ id }) => id));
      for (const { event, resolve, reject } of batch) {
        if (stored.has(event.id)) resolve();
        else reject(new Error('conflict'));
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    state.underWay--;
    if (queue.length > 0) schedule();
  };
  return () =>
    new Promise((resolve, reject) => {
      queue.push({ event: nextEvent(), resolve, reject });
      schedule();
    });
}
