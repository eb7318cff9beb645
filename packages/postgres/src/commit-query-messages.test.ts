import { newId, type Uuid } from '@svc/core';
import { auditDestination, type CommitRecord, type OutgoingRecord, type PendingRecord } from '@svc/core/storage';
import { commitRecord as record, pendingRecord } from '@svc/core/testing';
import { describe, expect, it } from 'vitest';
import { commitQuery, type CommitQuery } from './commit-query.js';
import { commitStatements } from './commit-statement.js';
import { jsonTexts } from './json-texts.js';
import { stepsPart } from './postgres-processes.js';
import { carefulReactedPart, reactedPart } from './reacted-part.js';
import { resultsPart } from './results-part.js';
import { schedulesPart } from './schedule-changes.js';

const event = (fields: Partial<PendingRecord> = {}): PendingRecord => pendingRecord(newId(), fields);

function outgoing(fields: Partial<OutgoingRecord> = {}): OutgoingRecord {
  const id = newId();
  return { id, lane: 'transport', destination: 'shop', message: null, note: null, eventId: null, ...fields };
}

/** The audit note of an event. */
const noteOf = ({ id }: PendingRecord, fields: Partial<OutgoingRecord> = {}): OutgoingRecord =>
  outgoing({ lane: 'system', destination: auditDestination, note: '{"level":1}', eventId: id, ...fields });

type Row = Readonly<Record<string, unknown>>;
/** Whether a parameter has the bodies of events, or messages, instead of rows. */
const hasTexts = ({ name }: CommitQuery, i: number): boolean => i === 1 || (i === 3 && name.includes('messages'));
/** The rows in each parameter of a query. */
const lists = (query: CommitQuery): Row[][] =>
  query.values.filter((_, i) => !hasTexts(query, i)).map((value) => JSON.parse(value as string) as Row[]);
const texts = (query: CommitQuery): unknown[] => query.values.filter((_, i) => hasTexts(query, i));

describe('the audit notes of a record', () => {
  const [one, two, three] = [event(), event(), event()];
  const events = [one, two, three];

  /** The audit ids in the rows of the three events, and the ids of the messages. */
  function placesOf(messages: readonly OutgoingRecord[]): [unknown[], unknown[]] {
    const [rows, queued = []] = lists(commitQuery([record({ events, outgoing: messages })]));
    return [rows!.map((row) => row['audit_id'] ?? null), queued.map(({ id }) => id)];
  }

  it('are in the rows of their events, and so need no messages', () => {
    const notes = [noteOf(one), noteOf(three)];
    const query = commitQuery([record({ events, outgoing: notes })]);
    expect(query.name).toBe('svc-commit-events');
    expect(lists(query)[0]!.map((row) => [row['audit_id'], row['audit_note']])).toEqual([
      [notes[0]!.id, '{"level":1}'],
      [undefined, undefined],
      [notes[1]!.id, '{"level":1}'],
    ]);
  });

  it('may follow messages for the transport', () => {
    const [message, note] = [outgoing(), noteOf(two)];
    expect(placesOf([message, note])).toEqual([[null, note.id, null], [message.id]]);
  });

  it('remain messages where they are not in the order of the events, as do all behind them', () => {
    const notes = [noteOf(two), noteOf(one), noteOf(three)];
    expect(placesOf(notes)).toEqual([
      [null, notes[0]!.id, null],
      [notes[1]!.id, notes[2]!.id],
    ]);
  });

  it('remain messages if the same event has another note', () => {
    const notes = [noteOf(one), noteOf(one)];
    expect(placesOf(notes)).toEqual([[notes[0]!.id, null, null], [notes[1]!.id]]);
  });

  it.each<[string, Partial<OutgoingRecord>]>([
    ['another destination', { destination: 'other' }],
    ['a message of its own', { message: event() }],
    ['no note', { note: null }],
    ['an event of another record', { eventId: newId() }],
    ['no event', { eventId: null }],
  ])('remain messages behind a system message with %s', (_name, fields) => {
    const [other, note] = [noteOf(one, fields), noteOf(two)];
    expect(placesOf([other, note])).toEqual([
      [null, null, null],
      [other.id, note.id],
    ]);
  });

  it('are those of their own record', () => {
    const [first, second] = [noteOf(one), noteOf(two)];
    const query = commitQuery([
      record({ events: [one], outgoing: [first] }),
      record({ events: [two], outgoing: [second] }),
    ]);
    expect(lists(query)[0]!.map((row) => row['audit_id'])).toEqual([first.id, second.id]);
  });
});

describe('the rows of messages', () => {
  it('have everything of outgoing messages, and whether their record has no events', () => {
    const { expectedPosition: _, streamId: __, ...message } = event();
    const [own, about] = [outgoing({ message }), outgoing({ eventId: newId(), note: '{}' })];
    const one = event();
    const query = commitQuery([record({ outgoing: [own] }), record({ events: [one], outgoing: [about] })]);
    expect(texts(query)).toEqual([one.body, jsonTexts([JSON.stringify(message), null])]);
    expect([query.name, query.text]).toEqual(['svc-commit-messages', commitStatements.ofMessages([])]);
    const fields = { lane: 'transport', destination: 'shop' };
    expect(lists(query)).toEqual([
      [expect.objectContaining({ record: 1, ordinal: 0 })],
      [
        {
          record: 0,
          ordinal: 0,
          id: own.id,
          ...fields,
          note: null,
          event_id: null,
          alone: true,
        },
        {
          record: 1,
          ordinal: 1,
          id: about.id,
          ...fields,
          note: '{}',
          event_id: about.eventId,
          alone: false,
        },
      ],
      [],
      [],
    ]);
  });

  it('have delivered and received messages with the numbers of their records', () => {
    const ids = [newId(), newId(), newId(), newId()] as const;
    const query = commitQuery([
      record({ delivered: { lane: 'transport', ids: [ids[0], ids[1]] } }),
      record({ received: [ids[2], ids[3]] }),
    ]);
    expect(query.name).toBe('svc-commit-messages');
    expect(lists(query)).toEqual([
      [],
      [],
      [
        { record: 0, id: ids[0] },
        { record: 0, id: ids[1] },
      ],
      [
        { record: 1, id: ids[2] },
        { record: 1, id: ids[3] },
      ],
    ]);
  });

  it.each<[string, Partial<CommitRecord>]>([
    ['outgoing', { outgoing: [outgoing()] }],
    ['delivered', { delivered: { lane: 'transport', ids: [newId()] } }],
    ['received', { received: [newId()] }],
  ])('are parameters of the statement if there is only one of them: %s', (_name, fields) => {
    expect(commitQuery([record(fields)]).values).toHaveLength(6);
  });
});

describe('the parts of the statement', () => {
  const nameOf = (fields: Partial<CommitRecord>, isCareful = false): string =>
    commitQuery([record({ events: [event()], ...fields })], isCareful).name;

  it('are for results, dead letters and previous ids', () => {
    const [messageId, letterId, resolved, renewed] = [newId(), newId(), newId(), newId()];
    const message = event();
    const failure = { errorName: 'Error', errorMessage: 'no', attempts: 1, firstFailedAt: 0, lastFailedAt: 0 };
    const letter = {
      id: letterId,
      direction: 'incoming',
      cause: 'Refused',
      destination: 'd',
      origin: 'o',
      message,
      ...failure,
    } as const;
    const events = [event(), event()];
    const query = commitQuery([
      record({ received: [newId()] }),
      record({
        events,
        idempotency: { id: 'k', requestHash: 'h', messageId, result: '{"n":1}' },
        deadLetters: [letter],
        resolved,
        delivered: { lane: 'system', ids: [renewed, events[0]!.id] },
      }),
    ]);
    expect([query.name, query.text]).toEqual([
      'svc-commit-messages-results',
      commitStatements.ofMessages([resultsPart]),
    ]);
    const key = { id: 'k', request_hash: 'h', message_id: messageId, result: '{"n":1}', last_event_id: events[1]!.id };
    const dead = { id: letterId, direction: 'incoming', cause: 'Refused', message_id: message.id };
    expect(lists(query).slice(4)).toEqual([
      [{ record: 1, ...key }],
      [{ record: 1, ...dead, letter: JSON.stringify(letter) }],
      [{ record: 1, id: resolved }],
      [{ record: 1, id: renewed }],
    ]);
  });

  it('are for scheduled commands, with the time or the delay of each', () => {
    const [settled, messages] = [newId(), [event({ scope: { tenantId: 'a' } }), event()]] as const;
    const added = [
      { message: messages[0], due: { at: 1_800_000_000_000 }, key: 'k' },
      { message: messages[1], due: { afterMs: 250 }, key: null },
    ];
    const schedules = { settled, cancelled: [{ tenant: 'a', key: 'k' }], added };
    const query = commitQuery([record({ schedules })]);
    expect([query.name, query.text]).toEqual([
      'svc-commit-events-results-schedules',
      commitStatements.ofEvents([resultsPart, schedulesPart]),
    ]);
    const [, , , , renewed, ...rest] = lists(query);
    expect(renewed, 'its commit may be repeated').toEqual([{ record: 0, id: settled }]);
    const row = { record: 0, type: 'test.Happened', message: expect.stringContaining('"id"') as string, alone: true };
    expect(rest).toEqual([
      [{ record: 0, id: settled }],
      [{ record: 0, tenant: 'a', key: 'k' }],
      [
        { ...row, id: messages[0].id, tenant: 'a', key: 'k', at: 1_800_000_000_000 },
        { ...row, id: messages[1].id, tenant: '', key: null, after_ms: 250 },
      ],
    ]);
    const ofEvents = commitQuery([record({ events: [event()], schedules: { settled: null, cancelled: [], added } })]);
    expect(ofEvents.name).toBe('svc-commit-events-schedules');
    expect(lists(ofEvents)[3]!.map(({ alone }) => alone)).toEqual([false, false]);
  });

  it('are for the steps of processes', () => {
    const step = {
      streamId: newId(),
      process: 'order',
      tenant: 'a',
      key: 'k',
      at: 5,
      isIgnored: true,
      completes: true,
    };
    const query = commitQuery([record({ step }), record({ step: { ...step, isIgnored: false, completes: false } })]);
    expect([query.name, query.text]).toEqual(['svc-commit-events-steps', commitStatements.ofEvents([stepsPart])]);
    const row = { stream_id: step.streamId, process: 'order', tenant: 'a', key: 'k', at: 5 };
    expect(lists(query)[1]).toEqual([
      { record: 0, ...row, ignored: 1, completes: true },
      { record: 1, ...row, ignored: 0, completes: false },
    ]);
  });

  it('are for processed events, with a row for each term of a segment of a reaction', () => {
    const ids = Array.from({ length: 6 }, () => newId()) as [Uuid, ...Uuid[]];
    const reacted = (reaction: string, segment: number, term: number, i: number): CommitRecord =>
      record({ reacted: { reaction, segment, term, eventId: ids[i]! } });
    const query = commitQuery([
      reacted('a', 0, 1, 0),
      reacted('a', 1, 1, 1),
      reacted('b', 0, 1, 2),
      reacted('a', 0, 2, 3),
      reacted('a', 0, 1, 4),
    ]);
    expect([query.name, query.text]).toEqual(['svc-commit-events-reacted', commitStatements.ofEvents([reactedPart])]);
    const expected = [
      { reaction: 'a', segment: 0, term: 1, records: [0, 4], events: [ids[0], ids[4]] },
      { reaction: 'a', segment: 1, term: 1, records: [1], events: [ids[1]] },
      { reaction: 'b', segment: 0, term: 1, records: [2], events: [ids[2]] },
      { reaction: 'a', segment: 0, term: 2, records: [3], events: [ids[3]] },
    ];
    expect(query.reacted).toMatchObject(expected);
    expect(lists(query)[1]).toEqual(query.reacted);
    expect(new Set(query.reacted!.map(({ id }) => id)).size).toBe(4);
  });

  it('search for processed events only in a careful query', () => {
    const one = record({ reacted: { reaction: 'a', segment: 0, term: 1, eventId: newId() } });
    const careful = commitQuery([one], true);
    expect([careful.name, careful.text]).toEqual([
      'svc-commit-events-reacted-careful',
      commitStatements.ofEvents([carefulReactedPart]),
    ]);
    expect(nameOf({}, true), 'nothing to search for').toBe('svc-commit-events');
  });

  it('are combined in one order, so that each statement has one name', () => {
    const all: Partial<CommitRecord> = {
      resolved: newId(),
      received: [newId()],
      schedules: { settled: null, cancelled: [{ tenant: '', key: 'k' }], added: [] },
      step: { streamId: newId(), process: 'p', tenant: '', key: 'k', at: 0, isIgnored: false, completes: false },
      reacted: { reaction: 'r', segment: 0, term: 0, eventId: newId() },
    };
    const guarded = { events: [event({ sameTenant: true })] };
    expect(nameOf({ ...all, ...guarded })).toBe('svc-commit-guarded-messages-results-schedules-steps-reacted');
    expect(nameOf(all, true)).toBe('svc-commit-messages-results-schedules-steps-reacted-careful');
    expect(nameOf({ schedules: { settled: null, cancelled: [], added: [] } })).toBe('svc-commit-events');
  });
});
