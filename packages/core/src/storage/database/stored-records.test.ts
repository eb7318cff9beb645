/** The forms in which databases store messages, and system events that write their JSON only when it is read. */
import { describe, expect, it } from 'vitest';
import { newId, SystemEventStream } from '../../messages/index.js';
import type { PendingRecord } from '../event-record.js';
import { LateRecord } from './late-record.js';
import { plainMessage } from './plain-message.js';
import { RenewedRecord } from './renewed-record.js';
import { referenceBody, storedForm } from './stored-form.js';

function systemEvent(fields: Partial<PendingRecord> = {}): PendingRecord {
  const id = newId();
  return {
    id,
    type: 'svc.EventAudited',
    streamId: SystemEventStream.streamId,
    body: JSON.stringify({ id, cause: { of: id } }),
    timestamp: 1_700_000_000_123,
    correlationId: newId(),
    causationId: newId(),
    scope: { tenantId: 'acme' },
    metadata: { note: true },
    expectedPosition: undefined,
    ...fields,
  };
}

describe('a system event with a new id', () => {
  it('has the new id at every place of its body, and all other values of the queued event', () => {
    const queued = systemEvent({ auditNote: '{"level":1}' });
    const id = newId();
    const renewed = RenewedRecord.of(queued, id);
    const { type, timestamp, correlationId, causationId, scope, metadata, auditNote } = queued;
    expect(plainMessage(renewed)).toEqual({
      id,
      type,
      body: JSON.stringify({ id, cause: { of: id } }),
      timestamp,
      correlationId,
      causationId,
      scope,
      metadata,
    });
    expect(renewed.auditNote).toBe(auditNote);
    expect(renewed.streamId).toBe(SystemEventStream.streamId);
    expect(renewed.expectedPosition).toBeUndefined();
  });

  it('is its own correlation if the queued event was', () => {
    const id = newId();
    const own = systemEvent({ id });
    const renewed = RenewedRecord.of({ ...own, correlationId: own.id, causationId: null }, newId());
    expect(renewed.correlationId).toBe(renewed.id);
    expect(renewed.causationId).toBeNull();
  });

  it('can get another id, which replaces the first new one everywhere', () => {
    const queued = systemEvent();
    const again = RenewedRecord.of(RenewedRecord.of({ ...queued, correlationId: queued.id }, newId()), newId());
    expect(again.body).toBe(JSON.stringify({ id: again.id, cause: { of: again.id } }));
    expect(again.correlationId).toBe(again.id);
  });
});

describe('a record that writes its JSON late', () => {
  class Late extends LateRecord {
    readonly type = 'svc.Late';
    readonly body = '{}';
    readonly timestamp = 1;
    readonly correlationId = this.id;
    readonly causationId = null;
    readonly scope = null;
  }

  it('is an event of the system stream at any position, without metadata', () => {
    const id = newId();
    const late = new Late(id);
    expect(late.id).toBe(id);
    expect(late.streamId).toBe(SystemEventStream.streamId);
    expect(late.expectedPosition).toBeUndefined();
    expect(late.metadata).toEqual({});
    expect(Object.isFrozen(late.metadata)).toBe(true);
  });
});

describe('the stored form of an event', () => {
  it('has its body, and its scope and metadata as JSON', () => {
    const event = systemEvent({
      body: '{"a":1}',
      scope: { tenantId: 'acme', userId: null },
      metadata: { traceId: 't' },
    });
    expect(storedForm(event)).toEqual({
      body: '{"a":1}',
      scope: '{"tenantId":"acme","userId":null}',
      metadata: '{"traceId":"t"}',
    });
  });

  it('has no scope if the event has none', () => {
    expect(storedForm(systemEvent({ scope: null, metadata: {} }))).toMatchObject({ scope: null, metadata: '{}' });
  });

  it('of an audit record refers to the event that it is about, with the note as metadata, and does not write its body', () => {
    const record: PendingRecord = {
      ...systemEvent({ auditNote: '{"level":1}' }),
      get body(): string {
        throw new Error('The body is not needed.');
      },
    };
    expect(storedForm(record)).toEqual({ body: 'null', scope: null, metadata: '{"level":1}' });
    expect(referenceBody).toBe('null');
  });

  it('of an audit record with an empty note is a reference, too', () => {
    expect(storedForm(systemEvent({ auditNote: '' }))).toEqual({ body: 'null', scope: null, metadata: '' });
  });
});

it('a plain message has the values of the message and nothing else', () => {
  const { streamId, expectedPosition, ...message } = systemEvent();
  expect(plainMessage({ ...message, streamId, expectedPosition } as PendingRecord)).toEqual(message);
  expect(Object.keys(plainMessage(systemEvent()))).not.toContain('streamId');
});
