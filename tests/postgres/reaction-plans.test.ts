/** Statements of reactions whose plan depends on the size of a table that grows and shrinks. */
import { newId } from '@svc/core';
import { postgres } from '@svc/postgres';
import { expect, it } from 'vitest';
import { useDatabase, type TestDatabase } from './test-database.js';

let database: TestDatabase;
useDatabase((one) => (database = one));

it('forgets the processed events of a backlog, also after it has forgotten single ones for long', async () => {
  const storage = postgres({ url: database.url, readers: 1 });
  await storage.open();
  const { reactions } = storage;
  await reactions.register('Charge', 'beginning');
  const { segments } = (await reactions.begin('Charge', [0]))!;
  const { term } = segments[0]!;
  const advance = (passed: readonly string[]): Promise<boolean> =>
    reactions.advance('Charge', 0, [{ segment: 0, term, passed: passed as ReturnType<typeof newId>[] }]);
  // PostgreSQL would plan a prepared statement once for all executions from the sixth one on.
  await database.query('VACUUM ANALYZE svc_reacted');
  for (let i = 0; i < 10; i++) await advance([newId()]);
  const { rows } = await database.query(
    `INSERT INTO svc_reacted SELECT 'Charge', gen_random_uuid() FROM generate_series(1, 40000) RETURNING event_id`,
  );
  expect(await advance(rows.map(({ event_id }: { event_id: string }) => event_id))).toBe(true);
  expect((await database.query('SELECT count(*)::int AS left FROM svc_reacted')).rows).toEqual([{ left: 0 }]);
  await storage.close();
});
