/** The emitter operations, each row of the specification's table, for the real emitter and the no-op one. */
import {
  AuditLevel,
  CommandAudited,
  EventAudited,
  MigrationBatchStarted,
  newId,
  NoOpSystemEventEmitter,
  PermissionChanged,
  PermissionChangeType,
  ReceptorFailed,
  type SecurityContext,
  type Service,
  type SystemEventOptions,
} from '@svc/core';
import { runAs } from '@svc/core/hosting';
import { wrap } from '@svc/core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  ann,
  CacheCleared,
  OrderPaid,
  OrderPinged,
  OrderPlaced,
  PayOrder,
  PingOrder,
  PlaceOrder,
  records,
  shop,
  systemEvents,
} from './shop.js';

const emitting = (
  configure: (options: SystemEventOptions) => unknown = (options) => options.enableAll(),
  service = shop(),
): Service => {
  onTestFinished(() => service.stop());
  return service.addSystemEvents((options) => void configure(options)).start();
};

describe('EmitEventAudited', () => {
  const streamId = newId();
  const envelope = wrap('shop.OrderPaid', new OrderPaid(), { streamId, scope: { tenantId: 'acme', userId: null } });

  it('emits EventAudited for a domain event', async () => {
    const service = emitting();
    await service.emitter.emitEventAudited(streamId, 41, envelope);
    const [record, ...others] = await records(service, EventAudited);
    expect(others).toEqual([]);
    expect(record).toEqual(
      Object.assign(new EventAudited(), {
        id: record!.id,
        originalEventId: envelope.id,
        originalEventType: 'shop.OrderPaid',
        originalStreamId: streamId,
        originalStreamPosition: 41,
        originalBody: { amount: '1.00' },
        timestamp: envelope.timestamp,
        tenantId: 'acme',
        correlationId: envelope.correlationId,
        auditReason: 'Money moved.',
        auditLevel: AuditLevel.Warning,
        scope: { tenantId: 'acme', userId: null },
      }),
    );
  });

  it('only if it is enabled, and not for excluded types', async () => {
    const disabled = emitting((options) => options.enableCommandAudit());
    await disabled.emitter.emitEventAudited(streamId, 0, envelope);
    const service = emitting();
    await service.emitter.emitEventAudited(streamId, 0, wrap('shop.OrderPinged', new OrderPinged()));
    expect([...(await systemEvents(disabled)), ...(await systemEvents(service))]).toEqual([]);
  });

  it('not after its signal has aborted', async () => {
    const service = emitting();
    await expect(service.emitter.emitEventAudited(streamId, 0, envelope, AbortSignal.abort())).rejects.toThrow('abort');
    expect(await systemEvents(service)).toEqual([]);
  });
});

describe('EmitCommandAudited', () => {
  it('emits CommandAudited, with the current caller if there is no context', async () => {
    const service = emitting();
    const command = new PayOrder();
    await runAs(ann, () => service.emitter.emitCommandAudited(command, { orderId: command.orderId }, 'ByHand'));
    const [record] = await records(service, CommandAudited);
    expect(record).toEqual(
      Object.assign(new CommandAudited(), {
        id: record!.id,
        commandType: 'shop.PayOrder',
        commandBody: { orderId: command.orderId },
        timestamp: record!.timestamp,
        tenantId: 'acme',
        userId: 'ann',
        userName: 'Ann',
        auditReason: 'Money moves.',
        auditLevel: AuditLevel.Critical,
        receptorName: 'ByHand',
        scope: expect.objectContaining({ region: 'eu' }) as unknown,
      }),
    );
  });

  it.each([
    [new OrderPlaced(), 'OrderPlaced'],
    ['text', 'string'],
    [null, undefined],
    [undefined, undefined],
    [Object.create(null), undefined],
  ])('names the undeclared type of the response %j %s', async (response, name) => {
    const service = emitting();
    await service.emitter.emitCommandAudited(new PlaceOrder(), response, 'ByHand');
    expect((await records(service, CommandAudited))[0]?.responseType).toBe(name);
  });

  it('names the type of each response, also if a receptor returns several types', async () => {
    const service = emitting();
    for (const response of ['text', 5, null])
      await service.emitter.emitCommandAudited(new PlaceOrder(), response, 'ByHand');
    const found = await records(service, CommandAudited);
    expect(found.map(({ responseType }) => responseType)).toEqual(['string', 'number', undefined]);
  });

  it('with a context, has the caller of the context', async () => {
    const bob: SecurityContext = { ...ann, scope: { userId: 'bob' } };
    const service: Service = emitting(
      (options) => options.enableCommandAudit(),
      shop((command, context) =>
        runAs(bob, () => service.emitter.emitCommandAudited(command, null, 'ByHand', context)),
      ),
    );
    await runAs(ann, () => service.dispatcher.invoke(new PlaceOrder()));
    expect((await records(service, CommandAudited)).map(({ userId }) => userId)).toEqual(['ann']);
  });

  it('only if it is enabled, and not for excluded types', async () => {
    const disabled = emitting((options) => options.enableEventAudit());
    await disabled.emitter.emitCommandAudited(new PlaceOrder(), null, 'ByHand');
    const service = emitting();
    await service.emitter.emitCommandAudited(new PingOrder(), null, 'ByHand');
    expect([...(await systemEvents(disabled)), ...(await systemEvents(service))]).toEqual([]);
  });

  it('not after its signal has aborted', async () => {
    const service = emitting();
    const emit = service.emitter.emitCommandAudited(new PlaceOrder(), null, 'ByHand', undefined, AbortSignal.abort());
    await expect(emit).rejects.toThrow('abort');
    expect(await systemEvents(service)).toEqual([]);
  });
});

const changed = (): PermissionChanged =>
  Object.assign(new PermissionChanged(), {
    userId: 'ann',
    tenantId: 'acme',
    changeType: PermissionChangeType.FullReassignment,
    changedBy: 'bob',
    timestamp: new Date(),
  });

describe('Emit', () => {
  it('emits any system event to the system stream, in a record of its own', async () => {
    const service = emitting();
    const event = changed();
    await runAs(ann, () => service.emitter.emit(event));
    const [stored] = await systemEvents(service);
    expect(stored?.envelope.payload).toEqual(event);
    expect(stored?.envelope.scope).toMatchObject({ userId: 'ann' });
  });

  it.each([
    ['a domain event', new OrderPlaced(), 'SVC_NOT_A_SYSTEM_EVENT', 'it is a domain event.'],
    ['a command', new PlaceOrder(), 'SVC_NOT_A_SYSTEM_EVENT', 'it is a command.'],
    ['what is no message at all', { note: '' }, 'SVC_UNKNOWN_MESSAGE', ''],
  ])('is constrained to the system-event marker: rejects %s', async (_what, event, code, reason) => {
    for (const isEnabled of [true, false]) {
      const service = emitting((options) => (isEnabled ? options.enableAll() : options));
      const message = expect.stringContaining(reason) as string;
      await expect(service.emitter.emit(event)).rejects.toMatchObject({ code, message });
      expect(await systemEvents(service)).toEqual([]);
    }
  });

  it('emits nothing if the category of the event is not enabled', async () => {
    const service = emitting((options) => options.enableAudit());
    const failed = Object.assign(new ReceptorFailed(), {
      messageId: newId(),
      messageType: 'shop.PlaceOrder',
      errorName: 'Error',
      errorMessage: 'no',
      attempt: 1,
      timestamp: new Date(),
    });
    await service.emitter.emit(failed);
    expect(await systemEvents(service)).toEqual([]);
  });

  it('rejects a domain event also with a context, and the command can continue', async () => {
    const service: Service = shop(async (_command, context) => {
      await expect(service.emitter.emit(new OrderPlaced(), { context })).rejects.toMatchObject({
        code: 'SVC_NOT_A_SYSTEM_EVENT',
      });
    })
      .addSystemEvents()
      .start();
    await service.dispatcher.invoke(new PlaceOrder());
    expect(await systemEvents(service)).toEqual([]);
  });

  it("accepts the application's own system events, and those of the service with the plain event marker", async () => {
    const service = emitting();
    const started = Object.assign(new MigrationBatchStarted(), {
      streamId: newId(),
      libraryVersion: '1.0.0',
      totalMigrations: 0,
      totalPerspectives: 0,
    });
    await service.emitter.emit(Object.assign(new CacheCleared(), { what: 'prices' }));
    await service.emitter.emit(started);
    expect((await systemEvents(service)).map(({ envelope }) => envelope.type)).toEqual([
      'shop.CacheCleared',
      'svc.MigrationBatchStarted',
    ]);
  });

  it.each([true, false])(
    'with a context, is committed or rolled back with the command: the command succeeds: %s',
    async (succeeds) => {
      const service: Service = shop(async (_command, context) => {
        await service.emitter.emit(changed(), { context });
        if (!succeeds) throw new Error('no');
      })
        .addSystemEvents()
        .start();
      await service.dispatcher.invoke(new PlaceOrder()).catch(() => {});
      const found = await systemEvents(service);
      expect(found).toHaveLength(succeeds ? 1 : 0);
      if (succeeds) expect(found[0]!.envelope.causationId).toBe(found[0]!.envelope.correlationId);
    },
  );

  it('not after its signal has aborted', async () => {
    const service = emitting();
    await expect(service.emitter.emit(changed(), { signal: AbortSignal.abort() })).rejects.toThrow('abort');
    expect(await systemEvents(service)).toEqual([]);
  });
});

it('ShouldExcludeFromAudit is true for excluded types', () => {
  const { emitter } = emitting();
  expect([OrderPlaced, OrderPaid, OrderPinged].map((type) => emitter.shouldExcludeFromAudit(type))).toEqual([
    false,
    false,
    true,
  ]);
});

it('the no-op emitter does nothing on every call', async () => {
  const service = shop().start();
  expect(service.emitter).toBeInstanceOf(NoOpSystemEventEmitter);
  await service.emitter.emitEventAudited(newId(), 0, wrap('shop.OrderPaid', new OrderPaid()));
  await service.emitter.emitCommandAudited(new PlaceOrder(), null, 'ByHand');
  await service.emitter.emit(changed());
  expect(service.emitter.shouldExcludeFromAudit(OrderPaid)).toBe(true);
  expect(await systemEvents(service)).toEqual([]);
});
