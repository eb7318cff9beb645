import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql';
import pg from 'pg';
import { nextEvent } from './events.mjs';

/** Emmett's event store with its defaults: one event per new stream. @param {number} concurrency @param {string} url @returns {Promise<import('./drive.mjs').Subject>} */
export async function openEmmett(concurrency, url) {
  const store = getPostgreSQLEventStore(url);
  await store.schema.migrate();
  const counting = new pg.Pool({ connectionString: url, max: 1 });
  return {
    concurrency,
    append: () => {
      const { streamId, type, body } = nextEvent();
      return store.appendToStream(streamId, [{ type, data: JSON.parse(body) }], {
        expectedStreamVersion: 'STREAM_DOES_NOT_EXIST',
      });
    },
    counted: async (appended) => {
      const {
        rows: [row],
      } = await counting.query('SELECT count(*)::int AS stored FROM emt_messages');
      return { stored: row.stored, expected: appended };
    },
  };
}
