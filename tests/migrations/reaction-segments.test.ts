/** Databases in which a reaction had one place and one term. */
import { newId, type Uuid } from '@svc/core';
import { commitRecord, pendingRecord } from '@svc/core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { useDatabases } from './databases.js';

const databases = useDatabases();

const segments = Array.from({ length: 8 }, (_, segment) => segment);

describe.each(Object.keys(databases))('on %s', (kind) => {
  it('divides the streams of a recorded reaction, with its place, its term, its processed events and its failed streams', async () => {
    const database = await databases[kind]!();
    onTestFinished(() => database.remove());
    const earlier = database.storage();
    await earlier.reactions!.register('Charging', 'beginning');
    const events = [newId(), newId(), newId()].map((stream) => pendingRecord(stream));
    await earlier.commit(commitRecord({ events }));
    await earlier.close();
    // One stream in each segment: their ids end in 0, 9, 2, b and so on.
    const streams = segments.map((segment) => {
      return `${newId().slice(0, -1)}${(segment + 8 * (segment % 2)).toString(16)}` as Uuid;
    });
    const processed = events.slice(1).map(({ id }) => id);
    for (const sql of [
      // PostgreSQL had a row for each event too.
      ...(kind === 'postgres' ? ['DROP TABLE svc_reacted_rows'] : []),
      `INSERT INTO svc_reacted (reaction, event_id) VALUES ${processed.map((id) => `('Charging', '${id}')`).join(', ')}`,
      'DROP TABLE svc_reaction_segments',
      'UPDATE svc_reactions SET sequence = 7, term = 3',
      'ALTER TABLE svc_reaction_streams DROP COLUMN segment',
      ...streams.map(
        (stream) =>
          `INSERT INTO svc_reaction_streams (reaction, stream_id, position, event_id, attempts, retry_at, error_name, error_message) VALUES ('Charging', '${stream}', 0, '${newId()}', 1, NULL, 'Error', 'no')`,
      ),
      "DELETE FROM svc_schema_migrations WHERE key = 'infrastructure/reaction-segments'",
    ]) {
      await database.query(sql);
    }

    const storage = database.storage();
    const found = await storage.reactions!.find('Charging');
    expect(found!.segments).toEqual(segments.map((segment) => ({ segment, sequence: 7, term: 3 })));
    expect((await storage.reactions!.begin('Charging', segments))!.reacted.toSorted()).toEqual(processed.toSorted());
    expect(await storage.reactions!.retry('Charging', null)).toBe(8);
    for (const [i, stream] of streams.entries()) {
      const { streams: due } = await storage.reactions!.readDue('Charging', [i], 10);
      expect(due.map(({ streamId }) => streamId)).toEqual([stream]);
    }
  });
});
