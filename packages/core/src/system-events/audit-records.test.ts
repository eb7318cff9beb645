/** The audit records of events and commands, as they are written: with all values, and without those that are not known. */
import { describe, expect, it } from 'vitest';
import { registry } from '../generated/registry.js';
import { MessageRegistry, newId, streamTenantKey, wrap, type EnvelopeScope } from '../messages/index.js';
import type { StoredRecord } from '../storage/index.js';
import type { AuditAttribute } from './audit-attribute.js';
import { CommandAuditedRecord } from './command-audited-record.js';
import { auditNote, eventAuditEnvelope, eventAuditedContent, readNote } from './event-audit.js';
import { EventAuditedRecord } from './event-audited-record.js';
import { CommandAudited } from './records/audit-events.js';
import { systemEventRecord } from './system-event-record.js';

const at = Date.parse('2026-01-31T12:00:00.000Z');
const known: EnvelopeScope = { tenantId: 'acme', userId: 'ann', userName: 'Ann', region: 'eu' };
const unknown: EnvelopeScope = { tenantId: null, userId: null, userName: null };
const parsed = (record: { readonly body: string }): unknown => JSON.parse(record.body);

const storedEvent = (values: Partial<StoredRecord> = {}): StoredRecord => ({
  id: newId(),
  type: 'shop.OrderPaid',
  streamId: newId(),
  body: '{"amount":"1.00"}',
  timestamp: at,
  correlationId: newId(),
  causationId: null,
  scope: null,
  metadata: {},
  position: 7,
  sequence: 9,
  ...values,
});

describe('the audit record of an event', () => {
  const noteOf = (attribute: AuditAttribute): string => eventAuditEnvelope(wrap('shop.OrderPaid', {}), attribute).note!;

  it('contains all values of the event, its scope and the attribute of its type', () => {
    const event = storedEvent({ causationId: newId(), scope: known });
    const record = new EventAuditedRecord(newId(), event, noteOf({ level: 2, reason: 'Money moved.' }));
    expect(parsed(record)).toEqual({
      id: record.id,
      originalEventId: event.id,
      originalEventType: 'shop.OrderPaid',
      originalStreamId: event.streamId,
      originalStreamPosition: 7,
      originalBody: { amount: '1.00' },
      timestamp: '2026-01-31T12:00:00.000Z',
      tenantId: 'acme',
      userId: 'ann',
      correlationId: event.correlationId,
      causationId: event.causationId,
      auditReason: 'Money moved.',
      auditLevel: 2,
      scope: known,
    });
  });

  it.each<[string, Partial<StoredRecord>, AuditAttribute]>([
    ['all values', { causationId: newId(), scope: known }, { level: 1, reason: 'Money moved.' }],
    ['a scope without values', { scope: unknown }, {}],
    ['an empty scope', { scope: {} }, { level: 1 }],
    ['no scope', {}, { reason: 'Money moved.' }],
  ])('is the same if a database has parsed the event, with %s', (_which, values, attribute) => {
    const event = storedEvent(values);
    const record = new EventAuditedRecord(newId(), event, noteOf(attribute));
    const content = eventAuditedContent(record.id, { ...event, content: JSON.parse(event.body) }, auditNote(attribute));
    expect(content).toStrictEqual(parsed(record));
  });

  it('has no names without a value', () => {
    const scopes = [null, unknown].map((scope) => new EventAuditedRecord(newId(), storedEvent({ scope }), noteOf({})));
    for (const record of scopes) {
      for (const name of ['tenantId', 'userId', 'causationId', 'auditReason'])
        expect(parsed(record)).not.toHaveProperty(name);
    }
    expect(scopes.map((record) => 'scope' in (parsed(record) as object))).toEqual([false, true]);
  });

  it.each<[AuditAttribute, object]>([
    [{}, { auditLevel: 0 }],
    [{ level: 2 }, { auditLevel: 2 }],
    [{ reason: 'Money moved.' }, { auditLevel: 0, auditReason: 'Money moved.' }],
  ])('is queued with a note of the level and the reason of its type: %j', (attribute, note) => {
    expect(readNote(noteOf(attribute))).toStrictEqual(note);
  });

  it('belongs to the tenant of the event', () => {
    const metadataOf = (metadata: object): object =>
      new EventAuditedRecord(newId(), storedEvent({ metadata: { ...metadata, secret: 'x' } }), noteOf({})).metadata;
    expect(metadataOf({ [streamTenantKey]: 'acme' })).toStrictEqual({ [streamTenantKey]: 'acme' });
    expect(metadataOf({})).toStrictEqual({});
  });
});

describe('the audit record of a command', () => {
  const audit = new MessageRegistry(registry.messages).ofClass(CommandAudited);
  const command = wrap('shop.PayOrder', {}, { correlationId: newId(), causationId: newId() });

  function recordOf({
    envelope = command as typeof command | undefined,
    scope = known as EnvelopeScope | null,
    attribute = { level: 2, reason: 'Money moves.' } as AuditAttribute,
    responseType = 'Receipt' as string | undefined,
  }): CommandAuditedRecord {
    const kind = { type: 'shop.PayOrder', audit, attribute, receptorName: 'Paying', responseType };
    return new CommandAuditedRecord(newId(), kind, '{"amount":"1.00"}', envelope, scope, { approvedBy: 'bob' });
  }

  it('contains all values of the command, its scope and the attribute of its type', () => {
    const record = recordOf({});
    expect(parsed(record)).toEqual({
      id: record.id,
      commandType: 'shop.PayOrder',
      commandBody: { amount: '1.00' },
      timestamp: new Date(record.timestamp).toISOString(),
      tenantId: 'acme',
      userId: 'ann',
      userName: 'Ann',
      correlationId: command.correlationId,
      causationId: command.causationId,
      auditReason: 'Money moves.',
      auditLevel: 2,
      receptorName: 'Paying',
      responseType: 'Receipt',
      scope: known,
    });
    expect(record).toMatchObject({ type: 'svc.CommandAudited', scope: known, metadata: { approvedBy: 'bob' } });
  });

  it('is caused by the command, and has its correlation', () => {
    const { causationId, correlationId } = recordOf({});
    expect([causationId, correlationId]).toEqual([command.id, command.correlationId]);
  });

  it('starts its own correlation if the envelope of the command is not known', () => {
    const kind = { type: 'shop.PayOrder', audit, attribute: {}, receptorName: 'Paying', responseType: undefined };
    const record = new CommandAuditedRecord(newId(), kind, '{}', undefined, null, {});
    expect([record.causationId, record.correlationId]).toEqual([null, record.id]);
    expect(parsed(record)).toEqual({
      id: record.id,
      commandType: 'shop.PayOrder',
      commandBody: {},
      timestamp: new Date(record.timestamp).toISOString(),
      auditLevel: 0,
      receptorName: 'Paying',
    });
  });

  it('has no names without a value', () => {
    const record = recordOf({ envelope: wrap('shop.PayOrder', {}), scope: unknown });
    for (const name of ['tenantId', 'userId', 'userName', 'causationId'])
      expect(parsed(record)).not.toHaveProperty(name);
  });

  it('is appended as it is, so that its body is written only when it is read', () => {
    const record = recordOf({});
    expect(systemEventRecord({ id: record.id, message: record, event: null, note: null })).toBe(record);
  });
});
