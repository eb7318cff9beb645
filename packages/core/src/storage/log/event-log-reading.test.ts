import { describe, expect, it } from 'vitest';
import type { Uuid } from '../../json/index.js';
import { eventVersion, firstIdOf, MessageRegistry, newId, wrap, type MessageEnvelope } from '../../messages/index.js';
import type { StorageReplay } from '../capabilities/replay.js';
import { around } from '../database/around.js';
import type { CommitRecord } from '../commit-record.js';
import type { ParsedRecord, StoredRecord } from '../event-record.js';
import { beforeEverything } from '../log-place.js';
import { InMemoryStorage } from '../memory/in-memory-storage.js';
import { behindEverything, EventLog } from './event-log.js';

class Happened {
  constructor(public what: string) {}
}
class Changed {
  constructor(public to: string) {}
}
eventVersion(2, { 1: (body) => body })(Changed);

const messages = new MessageRegistry([
  {
    type: 'test.Happened',
    kind: 'event',
    class: Happened,
    read: (value) => new Happened((value as Happened).what),
    write: JSON.stringify,
  },
  {
    type: 'test.Changed',
    kind: 'event',
    class: Changed,
    read: (value) => new Changed((value as Changed).to),
    write: JSON.stringify,
  },
]);

const [stream, other] = [newId(), newId()];
const happened = (what: string, options: Parameters<typeof wrap>[2] = {}): MessageEnvelope<Happened> =>
  wrap('test.Happened', new Happened(what), options);
const changed = (to: string): MessageEnvelope<Changed> => wrap('test.Changed', new Changed(to));

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

interface FilledLog {
  readonly storage: InMemoryStorage;
  readonly log: EventLog;
  readonly envelopes: readonly MessageEnvelope[];
}

/** Three events of one stream, and between the first two of them one of another stream. */
async function filled(): Promise<FilledLog> {
  const storage = new InMemoryStorage();
  const log = new EventLog(storage, messages);
  const envelopes = [happened('one', { scope: { tenantId: 'a' } }), changed('two'), happened('three'), changed('four')];
  const streams = [stream, other, stream, stream];
  await log.commit({
    events: envelopes.map((envelope, i) => log.eventRecord(streams[i]!, envelope)),
    outgoing: [],
    delivered: null,
    received: [],
  });
  return { storage, log, envelopes };
}

const payloads = (events: readonly { readonly envelope: MessageEnvelope }[]): unknown[] =>
  events.map(({ envelope }) => envelope.payload);

describe('a stream', () => {
  it('with an event whose class was renamed is rejected with an error that says so', async () => {
    const { storage } = await filled();
    class Occurred {}
    const renamed = new MessageRegistry([
      { type: 'test.Occurred', kind: 'event', class: Occurred, read: () => new Occurred(), write: JSON.stringify },
    ]);
    await expect(collect(new EventLog(storage, renamed).readStream(stream))).rejects.toMatchObject({
      code: 'SVC_UNKNOWN_MESSAGE',
      message: expect.stringMatching(
        /^Cannot read a stored event of type test\.Happened: no class .* was renamed, .* Write @storedAs\('test\.Happened'\) above its new class, or restore the class Happened /,
      ) as string,
    });
  });

  it('is read from its start, from a position, and after an event', async () => {
    const { log, envelopes } = await filled();
    const own = [envelopes[0]!, envelopes[2]!, envelopes[3]!].map(({ payload }) => payload);
    expect(payloads(await collect(log.readStream(stream)))).toEqual(own);
    expect(payloads(await collect(log.readStream(stream, 1)))).toEqual(own.slice(1));
    expect(payloads(await collect(log.readStream(stream, { afterEvent: envelopes[0]!.id })))).toEqual(own.slice(1));
    expect(await collect(log.readStream(stream, { afterEvent: envelopes[3]!.id }))).toEqual([]);
  });

  it('is not read after an event that it does not have', async () => {
    const { log, envelopes } = await filled();
    const afterEvent = envelopes[1]!.id;
    await expect(collect(log.readStream(stream, { afterEvent }))).rejects.toMatchObject({
      code: 'SVC_UNKNOWN_EVENT',
      message: `Cannot read stream ${stream} after event ${afterEvent}: the stream has no such event. Pass the id of an event of this stream.`,
    });
  });

  it('has positions, a last position and a tenant', async () => {
    const { log, envelopes } = await filled();
    expect(await log.lastPosition(stream)).toBe(2);
    expect(await log.positionOf(stream, envelopes[2]!.id)).toBe(1);
    expect(await log.positionOf(stream, envelopes[1]!.id)).toBe(-1);
    expect(await log.tenantOf(stream)).toBe('a');
    expect(await log.tenantOf(newId())).toBeNull();
  });

  it('is read as records, from a position and at some positions', async () => {
    const { log, envelopes } = await filled();
    const ids = (records: readonly StoredRecord[]): Uuid[] => records.map(({ id }) => id);
    const own = [envelopes[0]!.id, envelopes[2]!.id, envelopes[3]!.id];
    expect(ids(await collect(log.readStreamRecords(stream)))).toEqual(own);
    expect(ids(await collect(log.readStreamRecords(stream, 2)))).toEqual(own.slice(2));
    expect(ids(await collect(log.readPositions(stream, [0, 2])))).toEqual([own[0], own[2]]);
  });
});

describe('the log', () => {
  it('is read from its start and after a sequence number', async () => {
    const { log, envelopes } = await filled();
    expect(payloads(await collect(log.readAll()))).toEqual(envelopes.map(({ payload }) => payload));
    expect(payloads(await collect(log.readAll(1)))).toEqual(envelopes.slice(2).map(({ payload }) => payload));
    expect((await collect(log.readRecords(2))).map(({ id }) => id)).toEqual([envelopes[3]!.id]);
  });

  it('has the place and the tenant of each event', async () => {
    const { log, envelopes } = await filled();
    expect(await log.findPlace(envelopes[1]!.id)).toEqual({ sequence: 1, tenant: '' });
    expect(await log.findPlace(newId())).toBeNull();
  });

  it('finds an event by its id', async () => {
    const { log, envelopes } = await filled();
    expect(await log.findEvent(envelopes[2]!.id)).toMatchObject({ streamId: stream, position: 1, sequence: 2 });
    expect(await log.findEvent(newId())).toBeNull();
    expect(await log.findRecord(envelopes[2]!.id)).toMatchObject({ body: '{"what":"three"}' });
    expect(await log.findRecord(newId())).toBeNull();
  });

  it('is not asked for events behind everything', async () => {
    const unread = (): never => {
      throw new Error('The storage was asked.');
    };
    const replay: StorageReplay = { readReplayPages: unread, countEvents: unread, readStreamEnds: unread };
    const storage = around(new InMemoryStorage(), { readAll: unread });
    const log = new EventLog(Object.assign(storage, { replay }), messages);
    expect(await collect(log.readRecords(behindEverything))).toEqual([]);
    expect(await collect(log.readReplayPages(behindEverything, 10, new Set(['test.Happened'])))).toEqual([]);
    expect(() => log.readRecords(behindEverything - 1)).toThrow('The storage was asked.');
    await expect(collect(log.readReplayPages(-1, 10, new Set()))).rejects.toThrow('The storage was asked.');
  });

  it('has the places of its sequence numbers, which begin with the place before every event', async () => {
    const asked: number[] = [];
    const placeAt = (sequence: number): Promise<{ sequence: number; transaction: number }> => {
      asked.push(sequence);
      return Promise.resolve({ sequence, transaction: 800 + sequence });
    };
    const log = new EventLog(around<InMemoryStorage>(new InMemoryStorage(), { placeAt }), messages);
    expect(await log.placeAt(-1)).toBe(beforeEverything);
    expect(await log.placeAt(0)).toEqual({ sequence: 0, transaction: 800 });
    expect(asked).toEqual([0]);
  });
});

describe('the events of some types', () => {
  const types = new Set(['test.Changed']);

  it('are named by their classes', () => {
    const log = new EventLog(new InMemoryStorage(), messages);
    expect(log.typesOf([Changed, Happened])).toEqual(new Set(['test.Changed', 'test.Happened']));
    expect(() => log.typesOf([class Unknown {}])).toThrow('Unknown');
  });

  it('are read in pages of the log', async () => {
    const { log } = await filled();
    const pages = await collect(log.readReplayPages(-1, 2, types));
    expect(pages.map(({ records, upTo }) => [records.map(({ sequence }) => sequence), upTo.sequence])).toEqual([
      [[1], 1],
      [[3], 3],
    ]);
  });

  it('are counted up to a place, including the event at it', async () => {
    const { log } = await filled();
    expect(await log.countEvents(types, { sequence: 0 })).toBe(0);
    expect(await log.countEvents(new Set(['test.Happened']), { sequence: 0 })).toBe(1);
    expect(await log.countEvents(types, { sequence: 3 })).toBe(2);
  });

  it('are not counted by the storage before every event', async () => {
    const unread = (): never => {
      throw new Error('The storage was asked.');
    };
    const replay: StorageReplay = { readReplayPages: unread, countEvents: unread, readStreamEnds: unread };
    const log = new EventLog(Object.assign(new InMemoryStorage(), { replay }), messages);
    expect(await log.countEvents(types, beforeEverything)).toBe(0);
  });

  it('have a last one in each stream', async () => {
    const { log } = await filled();
    expect(await log.readStreamEnds(types)).toEqual([{ sequence: 1 }, { sequence: 3 }]);
  });
});

describe('the record of an event', () => {
  const log = new EventLog(new InMemoryStorage(), messages);

  it('has everything of its envelope, and the version of its type', () => {
    const cause = happened('before', { scope: { tenantId: 'a' }, metadata: { note: 1 } });
    const envelope = wrap('test.Changed', new Changed('x'), { cause });
    expect(log.eventRecord(stream, envelope)).toEqual({
      id: envelope.id,
      type: 'test.Changed',
      streamId: stream,
      body: '{"to":"x"}',
      timestamp: envelope.timestamp.getTime(),
      correlationId: cause.id,
      causationId: cause.id,
      scope: { tenantId: 'a' },
      metadata: { note: 1, schemaVersion: 2 },
      expectedPosition: undefined,
      sameTenant: false,
    });
  });

  it('has the expected position of its stream, and none for any', () => {
    const record = (expectedPosition: number | 'any'): unknown =>
      log.eventRecord(stream, happened('x'), { expectedPosition }).expectedPosition;
    expect([record(-1), record(0), record('any')]).toEqual([-1, 0, undefined]);
    expect(log.eventRecord(stream, happened('x'), {}).expectedPosition).toBeUndefined();
  });

  it('belongs to the tenant of its stream if the caller says so', () => {
    expect(log.eventRecord(stream, happened('x'), undefined, true).sameTenant).toBe(true);
  });
});

describe('an event that was read', () => {
  const log = new EventLog(new InMemoryStorage(), messages);
  const place = { position: 0, sequence: 0 };
  const stored = (id: Uuid, body: string): StoredRecord => ({
    ...log.eventRecord(stream, happened('x', { id })),
    body,
    ...place,
  });

  it('makes later ids of this host greater, unless the host itself reads it', () => {
    const ahead = firstIdOf(Date.now() + 60_000);
    const record = stored(ahead, '{"what":"x"}');
    expect(payloads([log.toEvent(record), log.toEventOr(record, () => ({}))])).toEqual([
      new Happened('x'),
      new Happened('x'),
    ]);
    expect(newId() < ahead).toBe(true);
    expect(log.observed(record).envelope.id).toBe(ahead);
    expect(newId() > ahead).toBe(true);
  });

  it('has a replacement for a payload that cannot be read', () => {
    const errors: unknown[] = [];
    const replacement = { unreadable: true };
    const event = log.toEventOr(stored(newId(), '{'), (error) => {
      errors.push(error);
      return replacement;
    });
    expect(event.envelope.payload).toBe(replacement);
    expect(event.envelope.type).toBe('test.Happened');
    expect(errors).toEqual([expect.any(SyntaxError)]);
    expect(() => log.toEvent(stored(newId(), '{'))).toThrow(SyntaxError);
  });

  it('has the content that the database has parsed', () => {
    const { body: _, ...rest } = stored(newId(), '');
    const parsed: ParsedRecord = { ...rest, content: { what: 'parsed' } };
    expect(log.toEventOr(parsed, () => ({})).envelope.payload).toEqual(new Happened('parsed'));
  });
});

describe('the outbox and the dead letters', () => {
  const empty: CommitRecord = { events: [], outgoing: [], delivered: null, received: [] };

  it('are read through the log', async () => {
    const { log, envelopes } = await filled();
    const ids = [newId(), newId(), newId()];
    const about = {
      lane: 'transport',
      destination: 'd',
      message: null,
      note: null,
      eventId: envelopes[0]!.id,
    } as const;
    const outgoing = ids.map((id) => ({ id, ...about }));
    await log.commit({ ...empty, outgoing });
    expect((await log.readOutgoing('transport', 2)).map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect((await log.readOutgoing('transport', 2, ids[1])).map(({ id }) => id)).toEqual([ids[2]]);
    expect(await log.readOutgoing('system', 2)).toEqual([]);
  });

  it('are found by their ids and causes', async () => {
    const { log } = await filled();
    const letters = ['TooLarge', 'Refused', 'TooLarge'] as const;
    const deadLetters = letters.map((cause) => ({
      id: newId(),
      direction: 'outgoing' as const,
      cause,
      destination: 'd',
      origin: 'o',
      message: log.eventRecord(stream, happened('x')),
      errorName: 'Error',
      errorMessage: 'no',
      attempts: 1,
      firstFailedAt: 0,
      lastFailedAt: 0,
    }));
    await log.commit({ ...empty, deadLetters });
    const [first, second] = deadLetters.map(({ id }) => id);
    expect((await log.readDeadLetters(null, 2)).map(({ id }) => id)).toEqual([first, second]);
    expect((await log.readDeadLetters(first!, 1)).map(({ id }) => id)).toEqual([second]);
    expect(await log.findDeadLetter(second!)).toMatchObject({ cause: 'Refused' });
    expect(await log.findDeadLetter(newId())).toBeNull();
    expect(await log.countDeadLetters(['TooLarge'], 10)).toBe(2);
    expect(await log.countDeadLetters(['TooLarge'], 1)).toBe(1);
  });
});
