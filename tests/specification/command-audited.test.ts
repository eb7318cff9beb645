/** The fields of `CommandAudited`, in records of a service whose commands were audited. */
import { AuditLevel, CommandAudited, newId } from '@svc/core';
import { runAs } from '@svc/core/hosting';
import type { Storage } from '@svc/core/storage';
import { expect } from 'vitest';
import { ann, PayOrder, PlaceOrder, records, shop } from '../system-events/shop.js';
import { anyUuid, describeRecords, whileRunning, type Rows } from './recorded.js';

const correlationId = newId();
const payment = new PayOrder();

interface Recorded {
  /** Of a caller's command, with a display name. */
  readonly outer: CommandAudited;
  /** Of a command that the first one invoked. */
  readonly inner: CommandAudited;
  /** Of a command of the host itself. */
  readonly byHost: CommandAudited;
  /** When the caller's commands began and were processed. */
  readonly between: readonly [Date, Date];
  /** The messages of the caller's commands. */
  readonly ids: Readonly<Record<'outer' | 'inner', string>>;
}

function recordOn(storage: Storage): Promise<Recorded> {
  const ids = { outer: '', inner: '' };
  const service = shop(async (command, context) => {
    if (!(command instanceof PlaceOrder)) {
      ids.inner = context.envelope.id;
      return { orderId: payment.orderId };
    }
    if (command.note === '') return null;
    ids.outer = context.envelope.id;
    return await context.invoke(payment);
  })
    .useStorage(storage)
    .addSystemEventAuditing((options) => options.enableCommandAudit())
    .start();
  return whileRunning(service, async () => {
    const began = new Date();
    const command = Object.assign(new PlaceOrder(), { note: 'pay' });
    await runAs(ann, () => service.dispatcher.invoke(command, { correlationId }));
    const between = [began, new Date()] as const;
    await service.dispatcher.invoke(new PlaceOrder());
    const [inner, outer, byHost] = (await records(service, CommandAudited)) as [
      CommandAudited,
      CommandAudited,
      CommandAudited,
    ];
    return { outer, inner, byHost, between, ids };
  });
}

const rows: Rows<Recorded> = {
  'CommandAudited.Id: identifies this audit event': ({ outer, inner, ids }) => {
    expect([outer.id, inner.id]).toEqual([expect.stringMatching(anyUuid), expect.stringMatching(anyUuid)]);
    expect(new Set([outer.id, inner.id, ids.outer, ids.inner]).size).toBe(4);
  },
  'CommandAudited.CommandType: type name of the command': ({ outer, inner }) =>
    expect([outer.commandType, inner.commandType]).toEqual(['shop.PlaceOrder', 'shop.PayOrder']),
  'CommandAudited.CommandBody: body of the command': ({ inner, outer }) => {
    expect(inner.commandBody).toEqual({ orderId: payment.orderId });
    expect(outer.commandBody).toMatchObject({ note: 'pay' });
  },
  'CommandAudited.Timestamp: when it was processed': ({ outer, between: [began, ended] }) => {
    expect(outer.timestamp.getTime()).toBeGreaterThanOrEqual(began.getTime());
    expect(outer.timestamp.getTime()).toBeLessThanOrEqual(ended.getTime());
  },
  'CommandAudited.TenantId: that of the caller, none without one': ({ outer, byHost }) =>
    expect([outer.tenantId, byHost.tenantId]).toEqual(['acme', undefined]),
  'CommandAudited.UserId: that of the caller, none without one': ({ outer, byHost }) =>
    expect([outer.userId, byHost.userId]).toEqual(['ann', undefined]),
  'CommandAudited.UserName: display name, none without one': ({ outer, byHost }) =>
    expect([outer.userName, byHost.userName]).toEqual(['Ann', undefined]),
  'CommandAudited.CorrelationId: the same for all that one request set in motion': ({ outer, inner }) =>
    expect([outer.correlationId, inner.correlationId]).toEqual([correlationId, correlationId]),
  'CommandAudited.CausationId: the message that led to the command, none for the first': ({ outer, inner, ids }) =>
    expect([outer.causationId, inner.causationId]).toEqual([undefined, ids.outer]),
  'CommandAudited.AuditReason: from the audit attribute, none without one': ({ outer, inner }) =>
    expect([outer.auditReason, inner.auditReason]).toEqual([undefined, 'Money moves.']),
  'CommandAudited.AuditLevel: from the audit attribute, Info by default': ({ outer, inner }) =>
    expect([outer.auditLevel, inner.auditLevel]).toEqual([AuditLevel.Info, AuditLevel.Critical]),
  'CommandAudited.ReceptorName: handling receptor': ({ outer, inner }) =>
    expect([outer.receptorName, inner.receptorName]).toEqual(['PlaceOrderReceptor', 'PayOrderReceptor']),
  'CommandAudited.ResponseType: type of the response': ({ inner }) => expect(inner.responseType).toBe('OrderDone'),
  'CommandAudited.Scope: values of the security context, none without one': ({ outer, byHost }) => {
    const values = { tenantId: 'acme', userId: 'ann', region: 'eu', userName: 'Ann', roles: 'clerk', source: 'test' };
    expect(outer.scope).toMatchObject(values);
    expect(byHost.scope).toBeUndefined();
  },
};

describeRecords(recordOn, rows);
