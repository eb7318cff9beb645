import { InMemoryStorage, newId, SystemEventStream, type Uuid } from '@svc/core';
import { around, AuditFollower } from '@svc/core/hosting';
import { systemEventRecord, type Storage } from '@svc/core/storage';
import { commitRecord, pendingRecord, type EventFields } from '@svc/core/testing';
import { expect, it } from 'vitest';

/** Appends events of a stream with their audit records. */
class Log {
  readonly storage = new InMemoryStorage();

  add(type: string, fields: EventFields = {}): void {
    const event = pendingRecord(fields.streamId ?? newId(), { type, ...fields });
    this.storage.commit(commitRecord({ events: [event] }));
    const message = { id: newId(), message: null, note: '{"auditLevel":0}', event: { ...event, position: 0 } };
    this.storage.commit(commitRecord({ events: [systemEventRecord(message)] }));
  }

  system(type: string, content: object): void {
    const body = JSON.stringify({ id: newId(), ...content });
    const record = pendingRecord(SystemEventStream.streamId, { type, body });
    this.storage.commit(commitRecord({ events: [record] }));
  }
}

async function readTypes(follower: AuditFollower): Promise<string[]> {
  const types: string[] = [];
  for (let isLast = false; !isLast;) {
    const page = await follower.read();
    types.push(...page.entries.map(({ type }) => type));
    ({ isLast } = page);
  }
  return types;
}

const idOfRecord = async (storage: Storage, position: number): Promise<Uuid> => {
  for await (const { id } of storage.readPositions(SystemEventStream.streamId, [position])) return id;
  throw new Error('There is none.');
};

it('returns the records that are appended after it began, each once', async () => {
  const log = new Log();
  log.add('a.Before');
  const follower = await AuditFollower.begin(log.storage, {}, null);
  expect(await readTypes(follower)).toEqual([]);
  for (let i = 0; i < 1_200; i++) log.add(`a.Event${i}`);
  expect(await readTypes(follower)).toEqual(Array.from({ length: 1_200 }, (_, i) => `a.Event${i}`));
  expect(await readTypes(follower)).toEqual([]);
});

it('begins at the first record of an empty log', async () => {
  const log = new Log();
  const follower = await AuditFollower.begin(log.storage, {}, null);
  log.add('a.First');
  expect(await readTypes(follower)).toEqual(['a.First']);
});

it('begins after a record, and rejects one that does not exist', async () => {
  const log = new Log();
  for (const type of ['a.One', 'a.Two', 'a.Three']) log.add(type);
  const follower = await AuditFollower.begin(log.storage, {}, await idOfRecord(log.storage, 0));
  expect(await readTypes(follower)).toEqual(['a.Two', 'a.Three']);
  await expect(AuditFollower.begin(log.storage, {}, newId())).rejects.toMatchObject({ code: 'SVC_UNKNOWN_EVENT' });
});

it('begins with the stored records from a time on, and returns none of them twice', async () => {
  const log = new Log();
  for (let i = 0; i < 250; i++) log.add(`a.Event${i}`, { timestamp: i });
  const follower = await AuditFollower.begin(log.storage, { from: new Date(100) }, null);
  const first = await follower.read();
  // Appended while the stored records are read, with the times of old and of new records.
  log.add('a.Late', { timestamp: 150 });
  log.add('a.New', { timestamp: 300 });
  log.add('a.TooEarly', { timestamp: 50 });
  const types = [...first.entries.map(({ type }) => type), ...(await readTypes(follower))];
  expect(types).toEqual([...Array.from({ length: 150 }, (_, i) => `a.Event${i + 100}`), 'a.Late', 'a.New']);
});

it('applies the conditions of a query', async () => {
  const log = new Log();
  const [streamId, correlation] = [newId(), newId()];
  const scope = { tenantId: 'acme', userId: 'ann' };
  const following = async (query: object): Promise<() => Promise<string[]>> => {
    const follower = await AuditFollower.begin(log.storage, query, null);
    return () => readTypes(follower);
  };
  const followers = await Promise.all(
    [
      { tenant: 'acme' },
      { user: 'ann' },
      { type: ['a.One', 'a.Three'] },
      { resource: streamId },
      { correlation },
      { level: 'Warning' as const },
    ].map(following),
  );
  log.add('a.One', { scope, streamId });
  log.add('a.Two', { scope: { ...scope, userId: 'bob' }, correlationId: correlation });
  log.add('a.Three', { scope: { tenantId: 'globex', userId: 'ann' } });
  log.system('svc.AccessDenied', { resourceType: 'stream', resourceId: streamId, reason: 'ScopeViolation' });
  log.system('svc.PerspectiveFailed', { streamId, errorName: 'TypeError', errorMessage: 'none' });
  expect(await Promise.all(followers.map((read) => read()))).toEqual([
    ['a.One', 'a.Two'],
    ['a.One', 'a.Three'],
    ['a.One', 'a.Three'],
    ['a.One', 'svc.AccessDenied'],
    ['a.Two'],
    [],
  ]);
});

it.each(['readPage', 'findCauses', 'readStream'])('loses and repeats nothing if %s fails', async (part) => {
  const log = new Log();
  let calls = 0;
  let failures = 0;
  const everyOther = (name: string): void => {
    if (name !== part || ++calls % 2 === 0) return;
    failures++;
    throw new Error('The connection is lost.');
  };
  const { audit } = log.storage;
  const storage = around<Storage>(log.storage, {
    async *readStream(...args) {
      for await (const record of log.storage.readStream(...args)) {
        yield record;
        if (record.position === 125) everyOther('readStream');
      }
    },
    audit: around(audit, {
      findCauses: async (...args) => (everyOther('findCauses'), await audit.findCauses(...args)),
      readPage: async (...args) => (everyOther('readPage'), await audit.readPage(...args)),
    }),
  });
  const stored = Array.from({ length: 120 }, (_, i) => `a.Stored${i}`);
  const added = Array.from({ length: 10 }, (_, i) => `a.New${i}`);
  for (const [i, type] of stored.entries()) log.add(type, { timestamp: i, causationId: newId() });
  const follower = await AuditFollower.begin(storage, { from: new Date(0) }, null);
  for (const type of added) log.add(type, { timestamp: 1_000, causationId: newId() });
  const types: string[] = [];
  for (let isLast = false; !isLast;) {
    const page = await follower.read().catch(() => null);
    types.push(...(page?.entries.map(({ type }) => type) ?? []));
    isLast = page?.isLast === true;
  }
  expect(failures).toBeGreaterThan(0);
  expect(types).toEqual([...stored, ...added]);
});

it('reports that the log no longer has the last record that it has read', async () => {
  const log = new Log();
  for (const type of ['a.One', 'a.Two']) log.add(type);
  const restored = new Log();
  const storage = around<Storage>(log.storage, { readStream: (...args) => restored.storage.readStream(...args) });
  const follower = await AuditFollower.begin(storage, {}, null);
  await expect(follower.read()).rejects.toMatchObject({ code: 'SVC_LOG_WENT_BACK' });
  for (const type of ['b.One', 'b.Two', 'b.Three']) restored.add(type);
  await expect(follower.read()).rejects.toMatchObject({ code: 'SVC_LOG_WENT_BACK' });
});
