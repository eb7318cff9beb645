import { expect, it } from 'vitest';
import { buildIndexes, missingIndexes } from './background-indexes.js';
import type { MigrationDatabase } from './migration-database.js';
import type { BackgroundIndex } from './migration-item.js';

const byType: BackgroundIndex = { name: 'by_type', definition: 'svc_events (type)' };
const byTime: BackgroundIndex = { name: 'by_time', definition: 'svc_events (time)' };
const byId: BackgroundIndex = { name: 'by_id', definition: 'svc_events (id)' };
const never = new AbortController().signal;

/** A database that lacks some indexes. It records calls, in order. */
function databaseWithout(
  missing: readonly BackgroundIndex[],
  onBuild: (index: BackgroundIndex) => void = () => {},
  onClose: () => void = () => {},
): { database: MigrationDatabase; calls: string[] } {
  const calls: string[] = [];
  const database = {
    missingIndexes: (indexes: readonly BackgroundIndex[]) =>
      Promise.resolve(indexes.filter((index) => missing.includes(index))),
    async begin(name: string) {
      calls.push(`begin ${name}`);
      return Promise.resolve({
        async buildIndex(index: BackgroundIndex, signal: AbortSignal) {
          await Promise.resolve();
          expect(signal).toBeInstanceOf(AbortSignal);
          calls.push(`build ${index.name}`);
          onBuild(index);
        },
        async close() {
          await Promise.resolve();
          calls.push('close');
          onClose();
        },
      });
    },
  } as unknown as MigrationDatabase;
  return { database, calls };
}

it('no index is missing in a database whose steps create all of them', async () => {
  expect(await missingIndexes({} as MigrationDatabase, [byType])).toEqual([]);
});

it('the database says which of the indexes are missing', async () => {
  expect(await missingIndexes(databaseWithout([byTime]).database, [byType, byTime])).toEqual([byTime]);
});

it('builds the missing indexes one after the other, in a session with the name of the item', async () => {
  const { database, calls } = databaseWithout([byType, byId]);
  await buildIndexes(database, 'infrastructure/events', [byType, byTime, byId], never);
  expect(calls).toEqual(['begin infrastructure/events', 'build by_type', 'build by_id', 'close']);
});

it('builds none in a database that does not know indexes in the background', async () => {
  const session = { close: () => Promise.resolve() };
  const database = { begin: () => Promise.resolve(session), missingIndexes: () => Promise.resolve([byType]) };
  await expect(
    buildIndexes(database as unknown as MigrationDatabase, 'infrastructure/events', [byType], never),
  ).resolves.toBeUndefined();
});

it('looks for missing indexes after the session has begun, because another process may have built them', async () => {
  const missing = [byType];
  const { database, calls } = databaseWithout(missing);
  const begin = database.begin.bind(database);
  database.begin = (name) => {
    missing.length = 0;
    return begin(name);
  };
  await buildIndexes(database, 'infrastructure/events', [byType], never);
  expect(calls).toEqual(['begin infrastructure/events', 'close']);
});

it('stops before the next index when the storage is closed, and ends the session', async () => {
  const stopping = new AbortController();
  const { database, calls } = databaseWithout([byType, byTime], () => stopping.abort(new Error('closed')));
  await expect(buildIndexes(database, 'infrastructure/events', [byType, byTime], stopping.signal)).rejects.toThrow(
    'closed',
  );
  expect(calls).toEqual(['begin infrastructure/events', 'build by_type', 'close']);
});

it('rejects with the error of an index, also if the session cannot be ended', async () => {
  const fail = (what: string) => () => {
    throw new Error(what);
  };
  const { database, calls } = databaseWithout([byType, byTime], fail('no room'), fail('gone'));
  await expect(buildIndexes(database, 'infrastructure/events', [byType, byTime], never)).rejects.toThrow('no room');
  expect(calls).toEqual(['begin infrastructure/events', 'build by_type', 'close']);
});
