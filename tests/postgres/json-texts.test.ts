import { newId } from '@svc/core';
import type { OutgoingRecord, PendingRecord } from '@svc/core/storage';
import { commitRecord, pendingRecord } from '@svc/core/testing';
import { postgres, type PostgresStorage } from '@svc/postgres';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useDatabase, type TestDatabase } from './test-database.js';

/** Between the texts of a batch. JSON contains it only escaped. */
const separator = '\u001f';

describe('the texts of a batch', () => {
  let database: TestDatabase;
  useDatabase((created) => (database = created));
  let storage: PostgresStorage;

  beforeEach(async () => {
    storage = postgres({ url: database.url });
    await storage.open();
  });
  afterEach(() => storage.close());

  const withBody = (body: string): PendingRecord => pendingRecord(newId(), { body });
  /** Commits events at the same time, each in a record of its own. */
  const committed = (events: readonly PendingRecord[]): Promise<PromiseSettledResult<void>[]> =>
    Promise.allSettled(events.map((event) => storage.commit(commitRecord({ events: [event] }))));

  async function bodiesOf(events: readonly PendingRecord[]): Promise<unknown[]> {
    const found = await Promise.all(events.map(({ id }) => storage.findEvent(id)));
    return found.map((record) => record && (JSON.parse(record.body) as unknown));
  }

  it.each([
    ['contains the separator of texts', `"a${separator}b"`],
    ['is two texts with the separator between them', `1${separator}2`],
    ['is empty', ''],
    ['is no JSON', '{'],
  ])('that %s is rejected alone', async (_name, wrong) => {
    // The first one occupies a connection, so that the others wait and become one batch.
    const events = ['0', '1', '2', wrong, '3', '4'].map(withBody);
    const outcomes = await committed(events);
    expect(outcomes.map(({ status }) => status)).toEqual(events.map((_, i) => (i === 3 ? 'rejected' : 'fulfilled')));
    expect(await bodiesOf(events)).toEqual([0, 1, 2, null, 3, 4]);
  });

  it('are not shifted by one with a separator if another record is refused', async () => {
    const refused = pendingRecord(newId(), { body: '1', expectedPosition: 7 });
    const events = [withBody('0'), refused, withBody(`2${separator}3`), withBody('4'), withBody('5')];
    const outcomes = await committed(events);
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    expect(await bodiesOf(events)).toEqual([0, null, null, 4, 5]);
  });

  it('remain with their rows if some rows have none', async () => {
    const events = [withBody('"first"'), withBody('{"separator":"\\u001f"}')];
    const queued = { lane: 'transport', destination: 'shop', message: null, note: null, eventId: null } as const;
    const messages: OutgoingRecord[] = [
      { ...queued, id: newId(), eventId: events[0]!.id },
      { ...queued, id: newId(), message: withBody('"of a message"') },
      { ...queued, id: newId(), eventId: events[1]!.id },
    ];
    await storage.commit(commitRecord({ events, outgoing: messages }));
    expect(await bodiesOf(events)).toEqual(['first', { separator }]);
    const waiting = await storage.readOutgoing('transport', 10);
    expect(waiting.map(({ event, message }) => (event ?? message)!.body)).toEqual([
      '"first"',
      '"of a message"',
      '{"separator":"\\u001f"}',
    ]);
  });
});
