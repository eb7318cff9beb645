import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId, SystemEventStream, type Uuid } from '@svc/core';
import {
  firstIdOf,
  LateEventError,
  type CommitOutcome,
  type CommitRecord,
  type DeadLetterRecord,
  type OutgoingRecord,
} from '@svc/core/storage';
import { commitRecord as record, pendingRecord } from '@svc/core/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { outcomeOf } from './commit-record.js';
import { openDatabase, type Database, type Row, type SqlValue } from './engine.js';
import { sqlite } from './index.js';
import { Numbers } from './numbers.js';
import { prepare, type Statements } from './statements.js';

let folder: string;
let database: Database;
let sql: Statements;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-sqlite-'));
  const file = join(folder, 'data.db');
  const storage = sqlite({ file });
  await storage.open();
  await storage.close();
  database = openDatabase(file);
  sql = prepare(database);
});
afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => database.exec('BEGIN'));
afterEach(() => database.exec('ROLLBACK'));

/** Commits records one after another in one transaction. */
function commitAll(records: readonly CommitRecord[], careful = false): CommitOutcome[] {
  const numbers = new Numbers(sql, records);
  return records.map((one) => outcomeOf(sql, one, { numbers, careful }));
}

type ScheduledRecord = NonNullable<CommitRecord['schedules']>['added'][number];

const commit = (one: CommitRecord, careful = false): CommitOutcome => commitAll([one], careful)[0]!;
const rows = (text: string, ...values: SqlValue[]): Row[] =>
  database
    .prepare(text)
    .all(...values)
    .map((row) => Object.fromEntries(Object.entries(row)));
const idsIn = (table: string): unknown[] => rows(`SELECT id FROM ${table} ORDER BY rowid`).map(({ id }) => id);
const outboxIds = (): unknown[] => rows('SELECT id FROM svc_outbox ORDER BY lane, sequence').map(({ id }) => id);
const inboxIds = (): unknown[] => rows('SELECT id FROM svc_inbox ORDER BY id').map(({ id }) => id);

function outgoing(fields: Partial<OutgoingRecord> = {}): OutgoingRecord {
  const id = newId();
  return {
    id,
    lane: 'transport',
    destination: 'shop',
    message: pendingRecord(id, { id }),
    note: null,
    eventId: null,
    ...fields,
  };
}

function scheduled(fields: Partial<ScheduledRecord> = {}): ScheduledRecord {
  const message = pendingRecord(newId(), { type: 'test.Remind', scope: { tenantId: 'a' } });
  return { message, due: { at: 1_800_000_000_000 }, key: null, ...fields };
}

function deadLetter(): DeadLetterRecord {
  const message = pendingRecord(newId());
  const failure = { errorName: 'Error', errorMessage: 'no', attempts: 1, firstFailedAt: 1, lastFailedAt: 2 };
  return { id: newId(), direction: 'incoming', cause: 'Refused', destination: 'd', origin: 'o', message, ...failure };
}

const idempotency = (messageId: Uuid, id = 'key'): NonNullable<CommitRecord['idempotency']> => ({
  id,
  requestHash: 'hash',
  messageId,
  result: '{"total":1}',
});

describe('a record', () => {
  it('is stored with its events, which continue the log and their streams', () => {
    const [a, b] = [newId(), newId()];
    expect(commit(record({ events: [pendingRecord(a), pendingRecord(b), pendingRecord(a)] }))).toBeNull();
    expect(commit(record({ events: [pendingRecord(a)] }))).toBeNull();
    expect(rows('SELECT sequence, stream_id AS stream, position FROM svc_events ORDER BY sequence')).toEqual([
      { sequence: 0, stream: a, position: 0 },
      { sequence: 1, stream: b, position: 0 },
      { sequence: 2, stream: a, position: 1 },
      { sequence: 3, stream: a, position: 2 },
    ]);
  });

  it('puts its messages into the outbox, in their order', () => {
    const messages = [outgoing(), outgoing(), outgoing()];
    expect(commit(record({ outgoing: messages }))).toBeNull();
    expect(outboxIds()).toEqual(messages.map(({ id }) => id));
  });

  it('appends its system events at once where that is allowed, and puts only the others into the outbox', () => {
    const event = pendingRecord(newId());
    const messages = [outgoing(), outgoing({ lane: 'system', message: null, note: '{}', eventId: event.id })];
    expect(commit(record({ events: [event], outgoing: messages, systemAtOnce: true }))).toBeNull();
    expect(outboxIds()).toEqual([messages[0]!.id]);
    const system = rows('SELECT id FROM svc_events WHERE stream_id = ?', SystemEventStream.streamId);
    expect(system).toEqual([{ id: messages[1]!.id }]);
  });

  it('removes the messages that it delivers from the outbox', () => {
    const messages = [outgoing(), outgoing(), outgoing()];
    commit(record({ outgoing: messages }));
    const [first, second, third] = messages.map(({ id }) => id) as [Uuid, Uuid, Uuid];
    expect(commit(record({ delivered: { lane: 'transport', ids: [first, third] } }))).toBeNull();
    expect(outboxIds()).toEqual([second]);
    expect(idsIn('(SELECT id, 1 AS rowid FROM svc_renewed)')).toEqual([]);
  });

  it('remembers the previous ids of the system events that it appends under new ones', () => {
    const messages = [outgoing({ lane: 'system' }), outgoing({ lane: 'system' })];
    commit(record({ outgoing: messages }));
    const [same, renewed] = messages.map(({ id }) => id) as [Uuid, Uuid];
    const streamId = SystemEventStream.streamId;
    const events = [pendingRecord(streamId, { id: same }), pendingRecord(streamId)];
    expect(commit(record({ events, delivered: { lane: 'system', ids: [same, renewed] } }))).toBeNull();
    expect(rows('SELECT id FROM svc_renewed')).toEqual([{ id: renewed }]);
  });

  it('stores the ids of received messages with their time', () => {
    const received = [newId(), newId()];
    const before = Date.now();
    expect(commit(record({ received }))).toBeNull();
    expect(inboxIds()).toEqual(received);
    const [{ at }] = rows('SELECT min(received_at) AS at FROM svc_inbox') as [{ at: number }];
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(Date.now());
  });

  it('stores its result with the last of its events, and null for a command without events', () => {
    const [command, other] = [newId(), newId()];
    const events = [pendingRecord(newId()), pendingRecord(newId())];
    expect(commit(record({ events, idempotency: idempotency(command) }))).toBeNull();
    expect(commit(record({ idempotency: idempotency(other, 'other') }))).toBeNull();
    const columns = 'id, request_hash AS hash, message_id AS message, result, last_event_id AS last';
    expect(rows(`SELECT ${columns} FROM svc_idempotency ORDER BY id`)).toEqual([
      { id: 'key', hash: 'hash', message: command, result: '{"total":1}', last: events[1]!.id },
      { id: 'other', hash: 'hash', message: other, result: '{"total":1}', last: null },
    ]);
  });

  it('stores dead letters, and removes the one that it resolves', () => {
    const letters = [deadLetter(), deadLetter()];
    expect(commit(record({ deadLetters: letters }))).toBeNull();
    expect(rows('SELECT id, direction, cause, message_id AS message FROM svc_dead_letters ORDER BY rowid')).toEqual(
      letters.map(({ id, message }) => ({ id, direction: 'incoming', cause: 'Refused', message: message.id })),
    );
    const [{ text }] = rows('SELECT record AS text FROM svc_dead_letters WHERE id = ?', letters[1]!.id) as [
      { text: string },
    ];
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(letters[1])));
    expect(commit(record({ resolved: letters[0]!.id }))).toBeNull();
    expect(idsIn('svc_dead_letters')).toEqual([letters[1]!.id]);
  });

  it('schedules commands, and replaces those of the same key', () => {
    const [first, second, other] = [scheduled({ key: 'k' }), scheduled({ key: 'k' }), scheduled()];
    expect(commit(record({ schedules: { settled: null, cancelled: [], added: [first, other] } }))).toBeNull();
    const cancelled = [{ tenant: 'a', key: 'k' }];
    expect(commit(record({ schedules: { settled: null, cancelled, added: [second] } }))).toBeNull();
    expect(new Set(idsIn('svc_scheduled'))).toEqual(new Set([second.message.id, other.message.id]));
  });

  it('settles a scheduled command, and remembers its id', () => {
    const { message, ...rest } = scheduled();
    commit(record({ schedules: { settled: null, cancelled: [], added: [{ message, ...rest }] } }));
    expect(commit(record({ schedules: { settled: message.id, cancelled: [], added: [] } }))).toBeNull();
    expect(idsIn('svc_scheduled')).toEqual([]);
    expect(rows('SELECT id FROM svc_renewed')).toEqual([{ id: message.id }]);
  });

  it('stores the event that a reaction has processed', () => {
    sql.insertSegment.run('mail', 3, -1);
    const eventId = newId();
    expect(commit(record({ reacted: { reaction: 'mail', segment: 3, term: 0, eventId } }))).toBeNull();
    expect(rows('SELECT * FROM svc_reacted')).toEqual([{ reaction: 'mail', event_id: eventId }]);
  });

  it('counts the events of a process instance, those after its end, and its completion', () => {
    const streamId = newId();
    const step = { streamId, process: 'order', tenant: 'a', key: 'k', at: 5, isIgnored: false, completes: false };
    for (const changes of [{}, { at: 6, completes: true }, { at: 7, isIgnored: true }]) {
      expect(commit(record({ step: { ...step, ...changes } }))).toBeNull();
    }
    expect(rows('SELECT * FROM svc_processes')).toEqual([
      {
        stream_id: streamId,
        process: 'order',
        tenant: 'a',
        key: 'k',
        events: 2,
        ignored: 1,
        started_at: 5,
        changed_at: 7,
        completed: 1,
      },
    ]);
  });
});

describe('the records of one transaction', () => {
  it('continue each other', () => {
    const stream = newId();
    const event = (expectedPosition: number): CommitRecord =>
      record({ events: [pendingRecord(stream, { expectedPosition })] });
    expect(commitAll([event(-1), event(0), event(1)])).toEqual([null, null, null]);
    expect(rows('SELECT position FROM svc_events')).toEqual([{ position: 0 }, { position: 1 }, { position: 2 }]);
  });

  it('give later events greater ids than the messages that earlier ones have received', () => {
    const [stream, early, received] = [newId(), firstIdOf(1_000), newId()];
    const [first, second] = commitAll([
      record({ received: [received] }),
      record({ events: [pendingRecord(stream, { id: early })] }),
    ]);
    expect(first).toBeNull();
    expect(second).toBeInstanceOf(LateEventError);
    expect((second as LateEventError).latest).toEqual(new Map([[stream, received]]));
  });

  it('give later events greater ids also if an earlier one has searched for received messages', () => {
    const received = newId();
    const [stream, early, late] = [newId(), firstIdOf(1_000), firstIdOf(2_000)];
    const outcomes = commitAll([
      record({ events: [pendingRecord(newId(), { id: early })] }),
      record({ received: [received] }),
      record({ events: [pendingRecord(stream, { id: late })] }),
    ]);
    expect(outcomes.slice(0, 2)).toEqual([null, null]);
    expect((outcomes[2] as LateEventError).latest).toEqual(new Map([[stream, received]]));
  });

  it('are not affected by one that is rejected', () => {
    const [good, bad] = [pendingRecord(newId()), pendingRecord(newId(), { expectedPosition: 7 })];
    const outcomes = commitAll([record({ events: [bad], outgoing: [outgoing()] }), record({ events: [good] })]);
    expect(outcomes).toEqual([expect.objectContaining({ code: 'SVC_CONCURRENCY_CONFLICT' }), null]);
    expect(idsIn('svc_events')).toEqual([good.id]);
    expect(outboxIds()).toEqual([]);
  });
});

describe('a record that was committed before', () => {
  /** Commits it twice and returns the number of rows after each time. */
  function twice(one: CommitRecord, table: string, careful: boolean): unknown[] {
    return [false, careful].map((isCareful) => {
      expect(commit(one, isCareful)).toBeNull();
      return rows(`SELECT count(*) AS count FROM ${table}`)[0]!['count'];
    });
  }

  it('is recognized by its events, if it looks for them', () => {
    const events = [pendingRecord(newId()), pendingRecord(newId())];
    expect(twice(record({ events }), 'svc_events', true)).toEqual([2, 2]);
  });

  it.each([
    ['expected position', { expectedPosition: -1 }],
    ['order of ids', {}],
  ])('is recognized by its events if it conflicts with itself: %s', (_name, fields) => {
    const events = [pendingRecord(newId(), fields)];
    expect(twice(record({ events }), 'svc_events', false)).toEqual([1, 1]);
  });

  it('is recognized by its idempotency key', () => {
    const one = record({ events: [pendingRecord(newId())], idempotency: idempotency(newId()) });
    expect(twice(one, 'svc_idempotency', false)).toEqual([1, 1]);
  });

  it('is recognized by its messages if it has no events', () => {
    expect(twice(record({ outgoing: [outgoing(), outgoing()] }), 'svc_outbox', false)).toEqual([2, 2]);
    expect(
      twice(record({ outgoing: [outgoing({ lane: 'system' })], systemAtOnce: true }), 'svc_events', false),
    ).toEqual([1, 1]);
    const schedules = { settled: null, cancelled: [], added: [scheduled()] };
    expect(twice(record({ schedules }), 'svc_scheduled', false)).toEqual([1, 1]);
  });

  it('is recognized by messages that were appended under new ids, and commands that were settled', () => {
    const [message, command] = [outgoing({ lane: 'system' }), scheduled()];
    const both = record({ outgoing: [message], schedules: { settled: null, cancelled: [], added: [command] } });
    commit(both);
    const delivered = { lane: 'system', ids: [message.id] } as const;
    commit(record({ events: [pendingRecord(SystemEventStream.streamId)], delivered }));
    commit(record({ schedules: { settled: command.message.id, cancelled: [], added: [] } }));
    expect(commit(both)).toBeNull();
    expect([outboxIds(), idsIn('svc_scheduled')]).toEqual([[], []]);
  });
});
