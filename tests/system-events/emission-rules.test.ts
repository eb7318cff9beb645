/** The emission rules of the specification, one by one; 7 to 10 are in tests/specification/emission-sequences.test.ts. */
import {
  AccessDenialReason,
  AccessDenied,
  AccessGranted,
  AuditLevel,
  CommandAudited,
  EventAudited,
  messageOf,
  newId,
  permission,
  PermissionChanged,
  PermissionChangeType,
  ReceptorFailed,
  ScopeContextEstablished,
  SystemEventStream,
  type Service,
  type SystemEvent,
  type TaggedMessage,
} from '@svc/core';
import { runAs } from '@svc/core/hosting';
import { InProcessTransport } from '@svc/core/transport';
import { auditAttributeOf, wrap } from '@svc/core/testing';
import { describe, expect, it } from 'vitest';
import {
  ann,
  auditedTypes,
  broadcastEvents,
  collect,
  OrderPaid,
  OrderPlaced,
  PayOrder,
  PlaceOrder,
  records,
  shop,
  shopEvents,
  systemEvents,
  type Receive,
} from './shop.js';

const audited = (handle?: Receive): Service =>
  shop(handle)
    .addSystemEventAuditing((options) => options.enableAll())
    .start();

const typesIn = async (service: Service): Promise<string[]> =>
  (await systemEvents(service)).map(({ envelope }) => envelope.type);

async function emitAll(service: Service, events: readonly SystemEvent[]): Promise<string[]> {
  for (const event of events) await service.emitter.emit(event);
  return await typesIn(service);
}

describe('rule 1: a domain event that is appended is audited', () => {
  it('with everything that is known of it', async () => {
    const service = audited();
    const first = new PlaceOrder();
    const command = Object.assign(new PayOrder(), { orderId: first.orderId });
    await runAs(ann, () => service.dispatcher.invoke(first));
    await runAs(ann, () => service.dispatcher.invoke(command));
    const [, event] = await collect(service.eventStore.readStream(command.orderId));
    const [, record] = await records(service, EventAudited);
    expect(record).toEqual(
      messageOf(EventAudited, {
        id: record!.id,
        originalEventId: event!.envelope.id,
        originalEventType: 'shop.OrderPaid',
        originalStreamId: command.orderId,
        originalStreamPosition: 1,
        originalBody: { amount: '1.00' },
        timestamp: event!.envelope.timestamp,
        tenantId: 'acme',
        userId: 'ann',
        correlationId: event!.envelope.correlationId,
        causationId: event!.envelope.causationId!,
        auditReason: 'Money moved.',
        auditLevel: AuditLevel.Warning,
        scope: { tenantId: 'acme', userId: 'ann', region: 'eu', userName: 'Ann', roles: 'clerk', source: 'test' },
      }),
    );
  });

  it('in the same record as the event: a receptor that throws after appending leaves neither', async () => {
    const service = audited((command, context) => {
      context.append((command as PlaceOrder).orderId, new OrderPlaced());
      throw new Error('no');
    });
    await expect(service.dispatcher.invoke(new PlaceOrder())).rejects.toThrow('no');
    expect(await typesIn(service)).toEqual(['svc.ReceptorFailed']);
    expect(await collect(service.eventStore.readAll())).toHaveLength(1);
  });

  it('also when it is appended outside of a command', async () => {
    const service = audited();
    const streamId = newId();
    await service.eventStore.append(streamId, wrap('shop.OrderPaid', new OrderPaid(), { streamId }));
    await service.eventStore.append(streamId, wrap('shop.OrderPaid', new OrderPaid(), { streamId }));
    const found = await records(service, EventAudited);
    expect(found.map(({ originalStreamPosition }) => originalStreamPosition)).toEqual([0, 1]);
  });

  it('not when the audit of events is off', async () => {
    const service = shop()
      .addSystemEventAuditing((options) => options.enableCommandAudit())
      .start();
    await service.dispatcher.invoke(new PlaceOrder());
    expect(await typesIn(service)).toEqual(['svc.CommandAudited']);
  });
});

describe('rule 2: a command that a receptor has processed is audited', () => {
  it('with everything that is known of it, after the handler returned', async () => {
    const service = audited();
    const command = new PayOrder();
    const before = Date.now();
    await runAs(ann, () => service.dispatcher.invoke(command, { correlationId: command.orderId }));
    const [record, ...others] = await records(service, CommandAudited);
    expect(others).toEqual([]);
    expect(record).toEqual(
      messageOf(CommandAudited, {
        id: record!.id,
        commandType: 'shop.PayOrder',
        commandBody: { orderId: command.orderId },
        timestamp: record!.timestamp,
        tenantId: 'acme',
        userId: 'ann',
        userName: 'Ann',
        correlationId: command.orderId,
        auditReason: 'Money moves.',
        auditLevel: AuditLevel.Critical,
        receptorName: 'PayOrderReceptor',
        responseType: 'OrderDone',
        scope: { tenantId: 'acme', userId: 'ann', region: 'eu', userName: 'Ann', roles: 'clerk', source: 'test' },
      }),
    );
    expect(record!.timestamp.getTime()).toBeGreaterThanOrEqual(before);
  });

  it('a nested one with the outer one as its cause', async () => {
    const service = audited(async (command, context) => {
      if (command instanceof PlaceOrder) await context.invoke(new PayOrder());
    });
    await service.dispatcher.invoke(new PlaceOrder());
    const [inner, outer] = await records(service, CommandAudited);
    expect([inner!.commandType, outer!.commandType]).toEqual(['shop.PayOrder', 'shop.PlaceOrder']);
    expect(inner!.correlationId).toBe(outer!.correlationId);
    expect(inner!.causationId).toBe(outer!.correlationId);
    expect(outer!.causationId).toBeUndefined();
  });

  it('exactly once, with one EventAudited for each of its events', async () => {
    const service = audited((command, context) => {
      for (let i = 0; i < 3; i++) context.append((command as PlaceOrder).orderId, new OrderPlaced());
    });
    await Promise.all(Array.from({ length: 50 }, () => service.dispatcher.invoke(new PlaceOrder())));
    expect(await records(service, CommandAudited)).toHaveLength(50);
    const events = await records(service, EventAudited);
    expect(events).toHaveLength(150);
    expect(new Set(events.map(({ originalEventId }) => originalEventId)).size).toBe(150);
  });
});

describe('rule 3: every system event is appended to the system stream', () => {
  it('which has the name and the id of the specification', () => {
    expect(SystemEventStream).toEqual({
      name: '$svc-system',
      prefix: '$svc-',
      streamId: '00000000-0000-0000-0000-000000000001',
    });
  });

  it('in the order of emission, at positions from 0 on', async () => {
    const service = audited();
    for (let i = 0; i < 20; i++) await service.dispatcher.invoke(new PlaceOrder());
    const events = await systemEvents(service);
    expect(events.map(({ position }) => position)).toEqual(Array.from({ length: 40 }, (_, i) => i));
    expect(events.map(({ envelope }) => envelope.type)).toEqual(
      Array.from({ length: 20 }, () => ['svc.EventAudited', 'svc.CommandAudited']).flat(),
    );
  });

  it('and read with all other events, as perspectives do', async () => {
    const service = audited();
    await service.dispatcher.invoke(new PlaceOrder());
    await service.idle();
    const all = await collect(service.eventStore.readAll());
    expect(all.map(({ envelope }) => envelope.type)).toEqual([
      'shop.OrderPlaced',
      'svc.EventAudited',
      'svc.CommandAudited',
    ]);
  });
});

it('rule 4: LocalOnly keeps system events on the host, Broadcast publishes them, domain events are always published', async () => {
  for (const broadcast of [false, true]) {
    const transport = new InProcessTransport();
    const [here, there] = [0, 1].map(() =>
      shop()
        .useTransport(transport)
        .acceptEvents(broadcast ? broadcastEvents : shopEvents)
        .addSystemEventAuditing((options) => (broadcast ? options.enableAll().broadcast() : options.enableAll()))
        .start(),
    ) as [Service, Service];
    await here.dispatcher.invoke(new PlaceOrder());
    await here.idle();
    await transport.idle();
    await there.idle();
    const arrived = (await collect(there.eventStore.readAll())).map(({ envelope }) => envelope.type);
    const system = broadcast ? ['svc.EventAudited', 'svc.CommandAudited'] : [];
    expect(arrived).toEqual(['shop.OrderPlaced', ...system]);
  }
});

it('rule 5: audit records carry the exclusion attribute with a reason, and are never audited', async () => {
  for (const type of [EventAudited, CommandAudited]) {
    expect(auditAttributeOf(type)).toMatchObject({ exclude: true, reason: expect.stringMatching(/./) as string });
  }
  const service = audited();
  await service.dispatcher.invoke(new PlaceOrder());
  const [record] = await records(service, EventAudited);
  await service.emitter.emit(Object.assign(record!, { id: newId() }));
  expect(auditedTypes(await records(service, EventAudited))).toEqual(['shop.OrderPlaced', 'shop.OrderPlaced']);
  expect(await records(service, CommandAudited)).toHaveLength(1);
  expect(service.emitter.shouldExcludeFromAudit(EventAudited)).toBe(true);
});

it('rule 6: the message of the sys-audit hook has the identifying fields and no bodies', async () => {
  const seen: TaggedMessage[] = [];
  const service = shop()
    .addSystemEventAuditing((options) => options.enableAll())
    .addTagHook('sys-audit', (message) => void seen.push(message))
    .start();
  const command = Object.assign(new PlaceOrder(), { note: 'x'.repeat(100_000) });
  await service.dispatcher.invoke(command);
  const stored = await systemEvents(service);
  expect(seen.map(({ type, tag }) => [type, tag])).toEqual([
    ['svc.EventAudited', 'sys-audit'],
    ['svc.CommandAudited', 'sys-audit'],
  ]);
  expect(seen[0]!.fields).toMatchObject({
    originalEventType: 'shop.OrderPlaced',
    originalStreamId: command.orderId,
    originalStreamPosition: 0,
  });
  expect(seen[1]!.fields).toMatchObject({ commandType: 'shop.PlaceOrder', receptorName: 'PlaceOrderReceptor' });
  expect(JSON.stringify(seen)).not.toContain('xxx');
  expect(JSON.stringify(stored.map(({ envelope }) => envelope.payload)).split('xxx')).not.toHaveLength(1);
  expect(seen.map(({ id }) => id)).toEqual(stored.map(({ envelope }) => envelope.id));
});

const startedAt = new Date();

it('rule 11: security events can be emitted by hand, whatever is enabled', async () => {
  const service = shop().addSystemEvents().start();
  const scope = { tenantId: 'acme' };
  const wanted = permission('orders:write');
  const events = [
    Object.assign(new ScopeContextEstablished(), {
      scope,
      roles: new Set(['a']),
      permissions: new Set([wanted]),
      source: 'jwt',
      timestamp: startedAt,
    }),
    Object.assign(new PermissionChanged(), {
      userId: 'ann',
      tenantId: 'acme',
      changeType: PermissionChangeType.RolesAdded,
      rolesAdded: new Set(['clerk']),
      changedBy: 'bob',
      timestamp: startedAt,
    }),
    Object.assign(new AccessGranted(), {
      resourceType: 'orders',
      usedPermission: wanted,
      accessFilter: 1,
      scope,
      timestamp: startedAt,
    }),
    Object.assign(new AccessDenied(), {
      resourceType: 'orders',
      requiredPermission: wanted,
      callerPermissions: new Set(),
      callerRoles: new Set(),
      scope,
      reason: AccessDenialReason.InsufficientPermission,
      timestamp: startedAt,
    }),
  ];
  await emitAll(service, events);
  expect((await systemEvents(service)).map(({ envelope }) => envelope.payload)).toEqual(events);
});

describe('rule 12: error events', () => {
  const failing: Receive = () => {
    throw new RangeError('too much');
  };

  it('record a command that failed, in a record of its own, with who tried what', async () => {
    const service = audited(failing);
    await expect(runAs(ann, () => service.dispatcher.invoke(new PlaceOrder()))).rejects.toThrow('too much');
    const [event, ...others] = await systemEvents(service);
    expect(others).toEqual([]);
    const record = event!.envelope.payload as ReceptorFailed;
    expect(record).toEqual(
      messageOf(ReceptorFailed, {
        id: record.id,
        messageId: event!.envelope.causationId!,
        messageType: 'shop.PlaceOrder',
        receptorName: 'PlaceOrderReceptor',
        errorName: 'RangeError',
        errorMessage: 'too much',
        attempt: 1,
        scope: expect.objectContaining({ userId: 'ann' }) as never,
        timestamp: record.timestamp,
      }),
    );
  });

  it('are not emitted unless they are enabled', async () => {
    const service = shop(failing)
      .addSystemEventAuditing((options) => options.enableAudit())
      .start();
    await expect(service.dispatcher.invoke(new PlaceOrder())).rejects.toThrow('too much');
    expect(await typesIn(service)).toEqual([]);
  });

  it('do not replace the error of the command when they cannot be stored', async () => {
    const reported: unknown[] = [];
    const broken = shop(failing)
      .addSystemEventAuditing((options) => options.enableAll())
      .reportTo((error) => reported.push(error))
      .start();
    broken.emitter.emit = () => Promise.reject(new Error('no disk'));
    await expect(broken.dispatcher.invoke(new PlaceOrder())).rejects.toThrow('too much');
    expect(reported).toEqual([expect.objectContaining({ message: 'no disk' })]);
  });
});

describe('rule 13: the real emitter replaces the no-op one', () => {
  it.each(['before', 'after'])('with addService called %s addSystemEvents', async (when) => {
    const service = shop();
    if (when === 'before') service.addService().addSystemEvents();
    else service.addSystemEvents().addService();
    service.start();
    expect(await emitAll(service, [new PermissionChanged()].map(complete))).toEqual(['svc.PermissionChanged']);
  });

  it('and without addSystemEvents nothing is emitted', async () => {
    const service = shop().start();
    expect(await emitAll(service, [new PermissionChanged()].map(complete))).toEqual([]);
  });

  const complete = (event: PermissionChanged): PermissionChanged =>
    Object.assign(event, {
      userId: 'ann',
      tenantId: 'acme',
      changeType: PermissionChangeType.RolesRemoved,
      changedBy: 'bob',
      timestamp: startedAt,
    });
});
