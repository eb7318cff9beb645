import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConcurrencyConflictError, newId, ServiceError, type Uuid } from '@svc/core';
import {
  DuplicateEventError,
  firstIdOf,
  ForeignStreamError,
  IdempotencyKeyInUseError,
  LateEventError,
  MessageSettledError,
  ReactionTakenOverError,
  type CommitOutcome,
  type CommitRecord,
  type OutgoingRecord,
} from '@svc/core/storage';
import { commitRecord as record, pendingRecord } from '@svc/core/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { outcomeOf } from './commit-record.js';
import { openDatabase, type Database } from './engine.js';
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

function commit(one: CommitRecord, careful = false): CommitOutcome {
  return outcomeOf(sql, one, { numbers: new Numbers(sql, [one]), careful });
}

const tables = [
  'svc_events',
  'svc_outbox',
  'svc_inbox',
  'svc_idempotency',
  'svc_dead_letters',
  'svc_scheduled',
  'svc_reacted',
];
const counts = (): unknown[] =>
  tables.map((table) => database.prepare(`SELECT count(*) AS n FROM ${table}`).get()!['n']);

/** The outcome of a record of which nothing may be written: it also has an event and a message of its own. */
function rejected(fields: Partial<CommitRecord>, careful = false): CommitOutcome {
  const before = counts();
  const events = [...(fields.events ?? []), pendingRecord(newId())];
  const outcome = commit(record({ outgoing: [outgoing()], ...fields, events }), careful);
  expect(counts()).toEqual(before);
  return outcome;
}

function outgoing(): OutgoingRecord {
  const id = newId();
  return { id, lane: 'transport', destination: 'shop', message: pendingRecord(id, { id }), note: null, eventId: null };
}

const idempotency = (messageId: Uuid): NonNullable<CommitRecord['idempotency']> => ({
  id: 'key',
  requestHash: 'hash',
  messageId,
  result: '{}',
});

describe('the idempotency key of another command', () => {
  it('rejects a record, also if its events are stored', () => {
    const events = [pendingRecord(newId())];
    commit(record({ events, idempotency: idempotency(newId()) }));
    expect(rejected({ idempotency: idempotency(newId()) })).toBeInstanceOf(IdempotencyKeyInUseError);
    expect(commit(record({ events, idempotency: idempotency(newId()) }))).toBeInstanceOf(IdempotencyKeyInUseError);
  });
});

describe('a message', () => {
  it('that is not in the outbox cannot be delivered', () => {
    const waiting = [outgoing(), outgoing()];
    commit(record({ outgoing: waiting }));
    const [missing, other] = [newId(), newId()];
    const ids = [waiting[0]!.id, missing, waiting[1]!.id, other];
    const outcome = rejected({ delivered: { lane: 'transport', ids } });
    expect(outcome).toBeInstanceOf(MessageSettledError);
    expect(outcome).toMatchObject({ messageId: missing });
  });

  it('that was received before cannot be received again', () => {
    const received = [newId(), newId()];
    commit(record({ received }));
    const outcome = rejected({ received: [newId(), received[1]!] });
    expect(outcome).toBeInstanceOf(MessageSettledError);
    expect(outcome).toMatchObject({ messageId: received[1] });
  });

  it('that was resolved before cannot be resolved again', () => {
    const resolved = newId();
    const outcome = rejected({ resolved });
    expect(outcome).toBeInstanceOf(MessageSettledError);
    expect(outcome).toMatchObject({ messageId: resolved });
  });

  it('that is no longer scheduled cannot be settled', () => {
    const settled = newId();
    const outcome = rejected({ schedules: { settled, cancelled: [], added: [] } });
    expect(outcome).toBeInstanceOf(MessageSettledError);
    expect(outcome).toMatchObject({ messageId: settled });
  });
});

describe('a reaction', () => {
  const reacted = { reaction: 'mail', segment: 3, term: 1, eventId: newId() };
  beforeEach(() => {
    sql.insertSegment.run('mail', 3, -1);
    sql.beginTerm.all('mail', '[3]');
  });

  it('processes an event once', () => {
    expect(commit(record({ reacted }))).toBeNull();
    const outcome = rejected({ reacted });
    expect(outcome).toBeInstanceOf(MessageSettledError);
    expect(outcome).toMatchObject({ messageId: reacted.eventId });
    expect(commit(record({ reacted: { ...reacted, eventId: newId() } }))).toBeNull();
  });

  it.each([{ term: 0 }, { term: 2 }, { segment: 4 }, { reaction: 'other' }])(
    'commits nothing outside of its term: %j',
    (changes) => {
      const outcome = rejected({ reacted: { ...reacted, ...changes } });
      expect(outcome).toBeInstanceOf(ReactionTakenOverError);
      expect((outcome as Error).message).toContain({ ...reacted, ...changes }.reaction);
    },
  );
});

describe('a stream of another tenant', () => {
  it('gets no event that requires the check', () => {
    const stream = newId();
    commit(record({ events: [pendingRecord(stream, { scope: { tenantId: 'a' } })] }));
    const ofB = { scope: { tenantId: 'b' } };
    const outcome = rejected({ events: [pendingRecord(stream, { ...ofB, sameTenant: true })] });
    expect(outcome).toBeInstanceOf(ForeignStreamError);
    expect(outcome).toMatchObject({ streamId: stream });
    expect(commit(record({ events: [pendingRecord(stream, { ...ofB, sameTenant: false })] }))).toBeNull();
    const ofA = pendingRecord(stream, { scope: { tenantId: 'a' }, sameTenant: true });
    expect(commit(record({ events: [ofA] }))).toBeNull();
  });

  it('gets an event that does not require the check together with one that does', () => {
    const stream = newId();
    commit(record({ events: [pendingRecord(stream, { scope: { tenantId: 'a' } })] }));
    const ofA = pendingRecord(stream, { scope: { tenantId: 'a' }, sameTenant: true });
    const ofB = pendingRecord(stream, { scope: { tenantId: 'b' } });
    expect(commit(record({ events: [ofA, ofB] }))).toBeNull();
  });

  it('does not exist yet if the record creates it', () => {
    const event = pendingRecord(newId(), { scope: { tenantId: 'b' }, sameTenant: true });
    expect(commit(record({ events: [event] }))).toBeNull();
  });
});

describe('a stale position', () => {
  it('rejects a record with the position of the stream', () => {
    const stream = newId();
    const outcome = rejected({ events: [pendingRecord(stream, { expectedPosition: 0 })] });
    expect(outcome).toBeInstanceOf(ConcurrencyConflictError);
    expect(outcome).toMatchObject({ streamId: stream, expectedPosition: 0, actualPosition: -1 });
  });

  it('is found after the earlier events of the same record, also those without an expectation', () => {
    const stream = newId();
    const events = (last: number): CommitRecord['events'] => [
      pendingRecord(stream, { expectedPosition: -1 }),
      pendingRecord(stream),
      pendingRecord(newId(), { expectedPosition: -1 }),
      pendingRecord(stream, { expectedPosition: last }),
    ];
    expect(rejected({ events: events(0) })).toMatchObject({ streamId: stream, expectedPosition: 0, actualPosition: 1 });
    expect(commit(record({ events: events(1) }))).toBeNull();
  });
});

describe('an id that is not above those of its stream', () => {
  it('rejects a record with the greatest id of each of its late streams', () => {
    const [a, b, c] = [newId(), newId(), newId()];
    const stored = [pendingRecord(a), pendingRecord(b), pendingRecord(c)];
    commit(record({ events: stored }));
    const early = (time: number): Uuid => firstIdOf(time);
    const events = [pendingRecord(a, { id: early(1) }), pendingRecord(b, { id: early(2) }), pendingRecord(c)];
    const outcome = rejected({ events });
    expect(outcome).toBeInstanceOf(LateEventError);
    expect((outcome as LateEventError).latest).toEqual(
      new Map([
        [a, stored[0]!.id],
        [b, stored[1]!.id],
      ]),
    );
  });

  it('rejects an event of this database behind received messages, but no received event', () => {
    const received = newId();
    commit(record({ received: [received] }));
    const [stream, other] = [newId(), newId()];
    const outcome = rejected({ events: [pendingRecord(stream, { id: firstIdOf(1) })] });
    expect((outcome as LateEventError).latest).toEqual(new Map([[stream, received]]));
    const fromElsewhere = pendingRecord(other, { id: firstIdOf(2), metadata: { origin: 'shop' } });
    expect(commit(record({ events: [fromElsewhere] }))).toBeNull();
  });

  it('is that of another stored event', () => {
    const [stream, other] = [newId(), newId()];
    const known = pendingRecord(stream, { id: firstIdOf(1_000) });
    commit(record({ events: [known, pendingRecord(other)] }));
    const outcome = rejected({ events: [pendingRecord(other, { id: known.id })] });
    expect(outcome).toBeInstanceOf(DuplicateEventError);
    expect(outcome).toMatchObject({ eventId: known.id });
  });
});

describe('the id of another stored event', () => {
  it('rejects a record that looks for it', () => {
    const known = pendingRecord(newId());
    commit(record({ events: [known] }));
    const outcome = rejected({ events: [pendingRecord(newId(), { id: known.id })] }, true);
    expect(outcome).toBeInstanceOf(DuplicateEventError);
    expect(outcome).toMatchObject({ eventId: known.id });
  });

  it('rejects a record of which only some events are stored', () => {
    const [stream, known] = [newId(), pendingRecord(newId())];
    commit(record({ events: [known] }));
    const outcome = rejected({ events: [known, pendingRecord(stream)] }, true);
    expect(outcome).toBeInstanceOf(DuplicateEventError);
    expect(outcome).toMatchObject({ eventId: known.id });
  });

  it('ends the transaction of a record that does not look for it', () => {
    const known = pendingRecord(newId());
    commit(record({ events: [known] }));
    const again = record({ events: [pendingRecord(newId(), { id: known.id })] });
    expect(() => commit(again)).toThrow('svc_events is append-only');
    expect(() => commit(again)).not.toThrow(ServiceError);
  });
});

it('ends the transaction of a record of which only some messages wait in the outbox', () => {
  const known = outgoing();
  commit(record({ outgoing: [known] }));
  expect(() => commit(record({ outgoing: [known, outgoing()] }))).toThrow('UNIQUE constraint failed: svc_outbox.id');
});
