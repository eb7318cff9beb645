import { newId } from '@svc/core';
import type { CommitRecord, OutgoingRecord, PendingRecord } from '@svc/core/storage';
import { commitRecord as record, pendingRecord } from '@svc/core/testing';
import { describe, expect, it } from 'vitest';
import { commitQuery, singleEventQuery, type CommitQuery } from './commit-query.js';
import { jsonTexts } from './json-texts.js';
import { commitEvent, commitGuardedEvent, commitStatements, guardedCommitStatements } from './commit-statement.js';

const stream = newId();
const event = (fields: Partial<PendingRecord> = {}): PendingRecord => pendingRecord(stream, fields);

function outgoing(fields: Partial<OutgoingRecord> = {}): OutgoingRecord {
  const id = newId();
  return { id, lane: 'transport', destination: 'shop', message: null, note: null, eventId: null, ...fields };
}

type ParsedRow = Readonly<Record<string, unknown>>;
const eventRows = ({ values }: CommitQuery): ParsedRow[] => JSON.parse(values[0] as string) as ParsedRow[];

describe('the query for a single event', () => {
  it('has the columns of the event', () => {
    const fields = { scope: { tenantId: 'a' }, metadata: { note: 1 }, causationId: newId(), expectedPosition: 4 };
    const one = event(fields);
    expect(singleEventQuery([record({ events: [one] })])).toEqual({
      name: 'svc-commit-event',
      text: commitEvent,
      values: [
        one.id,
        stream,
        4,
        one.type,
        one.body,
        one.timestamp,
        one.correlationId,
        fields.causationId,
        '{"tenantId":"a"}',
        '{"note":1}',
      ],
    });
  });

  it('has null for an absent cause, scope or expectation', () => {
    const { values } = singleEventQuery([record({ events: [event()] })])!;
    expect([values[2], values[7], values[8], values[9]]).toEqual([null, null, null, '{}']);
    expect(singleEventQuery([record({ events: [event({ expectedPosition: -1 })] })])!.values[2]).toBe(-1);
  });

  it('has the tenant of the event if its stream must belong to it', () => {
    const one = event({ sameTenant: true, scope: { tenantId: 'a' } });
    const query = singleEventQuery([record({ events: [one] })])!;
    expect([query.name, query.text]).toEqual(['svc-commit-guarded-event', commitGuardedEvent]);
    expect(query.values).toHaveLength(11);
    expect(query.values.slice(8)).toEqual(['{"tenantId":"a"}', '{}', 'a']);
    expect(singleEventQuery([record({ events: [event({ sameTenant: false })] })])!.name).toBe('svc-commit-event');
  });

  it('stores an audit record as a reference with its note', () => {
    const { values } = singleEventQuery([record({ events: [event({ auditNote: '{"n":1}' })] })])!;
    expect([values[4], values[8], values[9]]).toEqual(['null', null, '{"n":1}']);
  });

  const step = { streamId: stream, process: 'p', tenant: '', key: 'k', at: 0, isIgnored: false, completes: false };
  const letter = { direction: 'incoming', cause: 'Refused', destination: 'd', origin: 'o', message: event() } as const;
  const failure = { errorName: 'Error', errorMessage: 'no', attempts: 1, firstFailedAt: 0, lastFailedAt: 0 };
  it.each<[string, Partial<CommitRecord>]>([
    ['a second event', { events: [event(), event()] }],
    ['a message', { outgoing: [outgoing()] }],
    ['a received message', { received: [newId()] }],
    ['delivered messages', { delivered: { lane: 'system', ids: [] } }],
    ['a result', { idempotency: { id: 'k', requestHash: 'h', messageId: newId(), result: '{}' } }],
    ['dead letters', { deadLetters: [{ id: newId(), ...letter, ...failure }] }],
    ['a resolved dead letter', { resolved: newId() }],
    ['scheduled commands', { schedules: { settled: null, cancelled: [], added: [] } }],
    ['a processed event', { reacted: { reaction: 'r', segment: 0, term: 0, eventId: newId() } }],
    ['a step of a process', { step }],
  ])('does not exist for a record that also has %s', (_name, fields) => {
    expect(singleEventQuery([record({ events: [event()], ...fields })])).toBeNull();
  });

  it('does not exist for a record without events, no record, or several records', () => {
    const one = record({ events: [event()] });
    expect([singleEventQuery([record({})]), singleEventQuery([]), singleEventQuery([one, one])]).toEqual([
      null,
      null,
      null,
    ]);
    expect(singleEventQuery([record({ received: [newId()] })])).toBeNull();
  });
});

describe('the rows of events', () => {
  it('leave out every value that is absent or the default', () => {
    const one = event();
    const { id, type, body, timestamp, correlationId } = one;
    const expected = {
      record: 0,
      ordinal: 0,
      id,
      stream_id: stream,
      type,
      timestamp,
      correlation_id: correlationId,
    };
    const query = commitQuery([record({ events: [one] })]);
    expect([query.name, query.text]).toEqual(['svc-commit-events', commitStatements.ofEvents([])]);
    expect(query.values).toHaveLength(2);
    expect([eventRows(query), query.values[1]]).toEqual([[expected], body]);
  });

  it('are followed by the bodies of all events', () => {
    const [one, two, three] = [event({ body: '{"n":1}' }), event({ body: '{"n":2}' }), event({ body: '{"n":3}' })];
    const { values } = commitQuery([record({ events: [one, two] }), record({ events: [three] })]);
    expect(values[1]).toBe(jsonTexts(['{"n":1}', '{"n":2}', '{"n":3}']));
  });

  it('have every value that is present', () => {
    const causationId = newId();
    const one = event({ causationId, scope: { userId: 'u' }, metadata: { note: 1 }, expectedPosition: 4 });
    expect(eventRows(commitQuery([record({ events: [one] })]))[0]).toMatchObject({
      required: 4,
      causation_id: causationId,
      scope: '{"userId":"u"}',
      metadata: '{"note":1}',
    });
  });

  it('are numbered over all records, with the number of their record and their place in the stream within it', () => {
    const other = newId();
    const events = [event(), pendingRecord(other), event(), event()];
    const rows = eventRows(commitQuery([record({ events }), record({ events: [pendingRecord(newId())] })]));
    expect(rows.map((row) => [row['record'], row['ordinal'], row['stream_offset']])).toEqual([
      [0, 0, undefined],
      [0, 1, undefined],
      [0, 2, 1],
      [0, 3, 2],
      [1, 4, undefined],
    ]);
  });

  it('require the position of the stream before the record, whatever events of the record precede', () => {
    const events = [
      event({ expectedPosition: 7 }),
      event({ expectedPosition: 8 }),
      event(),
      event({ expectedPosition: 10 }),
    ];
    const rows = eventRows(commitQuery([record({ events })]));
    expect(rows.map(({ required }) => required)).toEqual([7, 7, undefined, 7]);
  });

  it('have the greatest id of the stream if they come from another database', () => {
    const [own, received] = [event(), event({ metadata: { origin: 'shop' } })];
    const rows = eventRows(commitQuery([record({ events: [own, received] })]));
    expect(rows.map((row) => row['received_latest'])).toEqual([undefined, received.id]);
    const [id, latest] = [newId(), newId()];
    const late = event({ id, metadata: { origin: 'shop', svcLatest: latest } });
    expect(eventRows(commitQuery([record({ events: [late] })]))[0]).toMatchObject({ received_latest: latest });
  });

  it('have a tenant only where the stream must belong to it, and are then committed by the guarded statement', () => {
    const guarded = event({ sameTenant: true, scope: { tenantId: 'a' } });
    const plain = pendingRecord(newId(), { sameTenant: false, scope: { tenantId: 'b' } });
    const query = commitQuery([record({ events: [plain] }), record({ events: [guarded] })]);
    expect([query.name, query.text]).toEqual(['svc-commit-guarded-events', guardedCommitStatements.ofEvents([])]);
    expect(eventRows(query).map(({ tenant }) => tenant)).toEqual([undefined, 'a']);
  });
});
