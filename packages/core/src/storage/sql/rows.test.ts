/** Rows of databases as records, and scopes as columns. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../messages/index.js';
import type { StoredRecord } from '../event-record.js';
import { contentColumn, toDeadLetter, toIdempotent, toOutgoing } from './message-rows.js';
import { scopeColumn, scopeRow, toModel, toSnapshot, toSource, toStopped } from './model-rows.js';

const [id, streamId, eventId] = [newId(), newId(), newId()];

describe('a row of the outbox', () => {
  const event = { id: eventId } as StoredRecord;
  const row = { outgoing_id: id, destination: 'topic', message: null, note: '{"level":1}', event_id: eventId };

  it('with a message of its own has no event', () => {
    const message = { id, body: '{}' };
    const own = { ...row, message: JSON.stringify(message), note: null, event_id: null };
    const unexpected = (): StoredRecord => {
      throw new Error('There is no event.');
    };
    expect(toOutgoing(own, 'transport', unexpected)).toEqual({
      id,
      lane: 'transport',
      destination: 'topic',
      message,
      note: null,
      event: null,
    });
    expect(contentColumn(own)).toBe('message');
  });

  it('about an event has that event, and its body as content', () => {
    expect(toOutgoing(row, 'system', (given) => (given === row ? event : ({} as StoredRecord)))).toEqual({
      id,
      lane: 'system',
      destination: 'topic',
      message: null,
      note: '{"level":1}',
      event,
    });
    expect(contentColumn(row)).toBe('body');
  });
});

it('a row of a dead letter contains its record', () => {
  expect(toDeadLetter({ record: JSON.stringify({ id, cause: 'TooLarge' }) })).toEqual({ id, cause: 'TooLarge' });
});

it('a row of an idempotency key contains the result, and the last event of its command', () => {
  const row = { id: 'key', request_hash: 'hash', message_id: id, result: '{}', last_event_id: eventId };
  expect(toIdempotent(row)).toEqual({
    id: 'key',
    requestHash: 'hash',
    messageId: id,
    result: '{}',
    lastEventId: eventId,
  });
  expect(toIdempotent({ ...row, last_event_id: null }).lastEventId).toBeNull();
});

describe('the columns of a scope', () => {
  const scope = {
    tenantId: 'acme',
    userId: 'ann',
    organizationId: 'o',
    customerId: 'c',
    allowedPrincipals: 'user:ann,role:a',
    region: 'eu',
    team: null,
  };
  const columns = { tenant_id: 'acme', user_id: 'ann', organization_id: 'o', customer_id: 'c' };
  const emptyColumns = { tenant_id: null, user_id: null, organization_id: null, customer_id: null };

  it('are one for each value that has its own, the principals as a list, and the others together', () => {
    expect(scopeRow(scope)).toEqual({
      ...columns,
      allowed_principals: ['user:ann', 'role:a'],
      extensions: { region: 'eu', team: null },
    });
  });

  it('have values that are null among the others', () => {
    expect(scopeRow({ tenantId: null, allowedPrincipals: null })).toEqual({
      extensions: { tenantId: null, allowedPrincipals: null },
    });
  });

  it('are empty for an empty scope, and missing without a scope', () => {
    expect(scopeRow({})).toEqual({ extensions: {} });
    expect(scopeRow(null)).toEqual({});
  });

  it('have fixed names', () => {
    expect(Object.keys(columns)).toEqual(['tenantId', 'userId', 'organizationId', 'customerId'].map(scopeColumn));
  });

  const row = { id: 'k', key: 'k', owner: 'acme', body: '{}', version: '3', last_event_id: eventId, revision: '12' };

  it('are the same scope again in a model', () => {
    const extensions = JSON.stringify({ region: 'eu', team: null });
    expect(toModel({ ...row, ...columns, extensions }, 'user:ann,role:a')).toEqual({
      id: 'k',
      key: 'k',
      owner: 'acme',
      body: '{}',
      version: 3,
      lastEventId: eventId,
      scope,
      revision: 12,
    });
  });

  it('of a model without some values have none of them', () => {
    expect(toModel({ ...row, ...emptyColumns, extensions: '{"userId":null}' }, null).scope).toEqual({ userId: null });
    expect(toModel({ ...row, ...emptyColumns, user_id: 'ann', extensions: '{}' }, null).scope).toEqual({
      userId: 'ann',
    });
  });

  it('of a model without a scope are all null', () => {
    expect(toModel({ ...row, ...emptyColumns, extensions: null }, null).scope).toBeNull();
  });

  it('of a model that apply has removed have no body', () => {
    expect(toModel({ ...row, ...emptyColumns, body: null, extensions: null }, null).body).toBeNull();
  });
});

it('rows of sources, snapshots and stopped streams have numbers, also if the database returns text', () => {
  const source = { id: 'k', stream_id: streamId, block: '2', events: '4294967295', last_event_id: eventId };
  expect(toSource(source)).toEqual({ id: 'k', streamId, block: 2, events: 2 ** 32 - 1, lastEventId: eventId });
  const snapshot = { id: 'k', event_id: eventId, body: null, version: '7' };
  expect(toSnapshot(snapshot)).toEqual({ id: 'k', eventId, body: null, version: 7 });
  expect(toSnapshot({ ...snapshot, body: '{}' }).body).toBe('{}');
  const stopped = { stream_id: streamId, event_id: eventId, position: '5', attempts: '2' };
  expect(toStopped({ ...stopped, error_name: 'TypeError', error_message: 'x is not a function' })).toEqual({
    streamId,
    eventId,
    position: 5,
    errorName: 'TypeError',
    errorMessage: 'x is not a function',
    attempts: 2,
  });
});
