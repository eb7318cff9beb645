/** The fields of `EventAudited`, in records of a service whose events were audited. */
import { AuditLevel, EventAudited, newId, type StreamEvent } from '@svc/core';
import { runAs } from '@svc/core/hosting';
import type { Storage } from '@svc/core/storage';
import { wrap } from '@svc/core/testing';
import { expect } from 'vitest';
import { ann, collect, OrderPaid, PayOrder, PlaceOrder, shop, systemEvents } from '../system-events/shop.js';
import { anyUuid, describeRecords, whileRunning, type Rows } from './recorded.js';

const long = new Date('2020-02-29T12:00:00.000Z');
const [orderId, correlationId] = [newId(), newId()];

interface Audited {
  readonly event: StreamEvent;
  readonly record: EventAudited;
  /** The id that the record has in the system stream. */
  readonly id: string;
}

interface Recorded {
  /** By a caller, as the second event of its stream. */
  readonly paid: Audited;
  /** Of a type without the audit attribute. */
  readonly placed: Audited;
  /** By the host itself, long ago. */
  readonly byHost: Audited;
}

function recordOn(storage: Storage): Promise<Recorded> {
  const service = shop()
    .useStorage(storage)
    .addSystemEventAuditing((options) => options.enableEventAudit())
    .start();
  return whileRunning(service, async () => {
    await runAs(ann, () => service.dispatcher.invoke(Object.assign(new PlaceOrder(), { orderId })));
    const payment = Object.assign(new PayOrder(), { orderId });
    await runAs(ann, () => service.dispatcher.invoke(payment, { correlationId }));
    const streamId = newId();
    const payload = new OrderPaid();
    await service.eventStore.append(streamId, { ...wrap('shop.OrderPaid', payload, { streamId }), timestamp: long });
    const audits = (await systemEvents(service)).filter(({ envelope }) => envelope.payload instanceof EventAudited);
    const events = [
      ...(await collect(service.eventStore.readStream(orderId))),
      ...(await collect(service.eventStore.readStream(streamId))),
    ];
    const [placed, paid, byHost] = events.map((event, i): Audited => {
      const audit = audits[i]!.envelope;
      return { event, record: audit.payload as EventAudited, id: audit.id };
    }) as [Audited, Audited, Audited];
    return { placed, paid, byHost };
  });
}

const rows: Rows<Recorded> = {
  'EventAudited.Id: identifies this audit event': ({ paid, placed }) => {
    expect(paid.record.id).toMatch(anyUuid);
    expect(paid.record.id).toBe(paid.id);
    expect(new Set([paid.record.id, placed.record.id, paid.event.envelope.id]).size).toBe(3);
  },
  'EventAudited.OriginalEventId: event id of the audited event': ({ paid }) =>
    expect(paid.record.originalEventId).toBe(paid.event.envelope.id),
  'EventAudited.OriginalEventType: type name of the audited event': ({ paid, placed }) =>
    expect([placed, paid].map(({ record }) => record.originalEventType)).toEqual([
      'shop.OrderPlaced',
      'shop.OrderPaid',
    ]),
  'EventAudited.OriginalStreamId: stream where it was appended': ({ paid, byHost }) => {
    expect(paid.record.originalStreamId).toBe(orderId);
    expect(byHost.record.originalStreamId).toBe(byHost.event.streamId);
  },
  'EventAudited.OriginalStreamPosition: position in that stream': ({ paid, placed }) =>
    expect([placed, paid].map(({ record }) => record.originalStreamPosition)).toEqual([0, 1]),
  'EventAudited.OriginalBody: full body of the audited event': ({ paid, placed }) =>
    expect([placed, paid].map(({ record }) => record.originalBody)).toEqual([{ note: '' }, { amount: '1.00' }]),
  'EventAudited.Timestamp: when the original event was recorded': ({ paid, byHost }) => {
    expect(paid.record.timestamp).toEqual(paid.event.envelope.timestamp);
    expect(byHost.record.timestamp).toEqual(long);
  },
  'EventAudited.TenantId: from event scope, none without one': ({ paid, byHost }) =>
    expect([paid, byHost].map(({ record }) => record.tenantId)).toEqual(['acme', undefined]),
  'EventAudited.UserId: from event scope, none without one': ({ paid, byHost }) =>
    expect([paid, byHost].map(({ record }) => record.userId)).toEqual(['ann', undefined]),
  'EventAudited.CorrelationId: that of the original event': ({ paid }) =>
    expect(paid.record.correlationId).toBe(correlationId),
  'EventAudited.CausationId: message that caused the original event, none without one': ({ paid, byHost }) => {
    expect(paid.record.causationId).toMatch(anyUuid);
    expect(paid.record.causationId).toBe(paid.event.envelope.causationId);
    expect(paid.record.causationId).not.toBe(correlationId);
    expect(byHost.record.causationId).toBeUndefined();
  },
  'EventAudited.AuditReason: from the audit attribute, none without one': ({ paid, placed }) =>
    expect([paid, placed].map(({ record }) => record.auditReason)).toEqual(['Money moved.', undefined]),
  'EventAudited.AuditLevel: from the audit attribute, Info by default': ({ paid, placed }) =>
    expect([paid, placed].map(({ record }) => record.auditLevel)).toEqual([AuditLevel.Warning, AuditLevel.Info]),
  'EventAudited.Scope: values of the security context, none without one': ({ paid, byHost }) => {
    const values = { tenantId: 'acme', userId: 'ann', region: 'eu', userName: 'Ann', roles: 'clerk', source: 'test' };
    expect(paid.record.scope).toMatchObject(values);
    expect(byHost.record.scope).toBeUndefined();
  },
};

describeRecords(recordOn, rows);
