import {
  CommandAudited,
  CommandRejectedError,
  InMemoryStorage,
  MessageDeadLettered,
  ReceptorFailed,
  type SecurityContext,
} from '@svc/core';
import { runAs } from '@svc/core/hosting';
import { InProcessTransport } from '@svc/core/transport';
import type { Storage } from '@svc/core/storage';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import { useDatabase, type TestDatabase } from '../postgres/test-database.js';
import { records } from '../system-events/shop.js';
import { chargeMessage, eventsOf, ManualTransport, order, startHost, typesOf } from './hosts.js';
import { billingRegistry, charge, ordersRegistry } from './shops.js';

let database: TestDatabase;
let reports: unknown[];
const report = (error: unknown): void => void reports.push(error);
beforeEach(() => {
  reports = [];
});

const kinds: Record<string, () => Storage> = {
  memory: () => new InMemoryStorage(),
  sqlite: () => sqlite({ file: ':memory:' }),
  postgres: () => postgres({ url: database.url }),
};

describe.each(Object.keys(kinds))('on %s', (kind) => {
  if (kind === 'postgres') useDatabase((created) => (database = created));
  const storage = (): Storage => kinds[kind]!();

  it('a sent command runs and is audited on the other host, with the ids of its cause', async () => {
    const transport = new InProcessTransport();
    const orders = await startHost(ordersRegistry(), transport.host('orders'), { storage: storage(), report });
    const billing = await startHost(billingRegistry(), transport.host('billing'), { report });
    const ann: SecurityContext = {
      scope: { tenantId: 'acme', userId: 'ann' },
      roles: new Set(),
      permissions: new Set(),
      source: 'jwt',
    };
    await runAs(ann, () => order(orders, { amount: 30 }));
    await expect.poll(() => typesOf(billing)).toEqual(['billing.CardCharged']);
    const [[placed], [charged]] = [await eventsOf(orders), await eventsOf(billing)];
    expect(charged).toMatchObject({
      payload: { amount: 30 },
      correlationId: placed!.correlationId,
      scope: { tenantId: 'acme', userId: 'ann' },
    });
    const [audited] = await records(billing, CommandAudited);
    expect(audited).toMatchObject({
      commandType: 'billing.ChargeCard',
      receptorName: 'ChargeCardReceptor',
      tenantId: 'acme',
      userId: 'ann',
      causationId: placed!.causationId,
    });
    const ofSender = await records(orders, CommandAudited);
    expect(ofSender.map(({ commandType }) => commandType)).toEqual(['orders.PlaceOrder']);
    expect(reports).toEqual([]);
  });

  it('a command that is delivered twice takes effect once, with one inbox entry, and nothing fails', async () => {
    const transport = new ManualTransport();
    const billing = await startHost(billingRegistry(), transport, { storage: storage(), report });
    const message = chargeMessage();
    await Promise.all([transport.receive(message), transport.receive(message)]);
    await transport.receive(message);
    expect(await typesOf(billing)).toEqual(['billing.CardCharged']);
    expect((await eventsOf(billing))[0]).toMatchObject({
      causationId: message.id,
      correlationId: message.correlationId,
      scope: { tenantId: 'acme', userId: 'ann', source: 'inbox', origin: 'orders' },
    });
    expect(await records(billing, CommandAudited)).toHaveLength(1);
    expect(await records(billing, ReceptorFailed)).toEqual([]);
    expect(await billing.deadLetters.list()).toEqual([]);
    expect(reports).toEqual([]);
  });

  it('a command that changes nothing is recorded as received', async () => {
    const transport = new ManualTransport();
    let runs = 0;
    await startHost(
      billingRegistry(() => void runs++),
      transport,
      { storage: storage(), report },
    );
    const message = chargeMessage();
    await transport.receive(message);
    await transport.receive(message);
    expect(runs, 'the second run is detected at its commit').toBe(2);
  });

  it('a command whose receptor throws is tried ten times, and is replayed until it succeeds', async () => {
    const transport = new ManualTransport();
    let isBroken = true;
    const registry = billingRegistry((command, context) => {
      charge(command, context);
      if (isBroken) throw new Error('The bank is closed.');
    });
    const billing = await startHost(registry, transport, { storage: storage(), report });
    const message = chargeMessage();
    for (let attempt = 1; attempt < 10; attempt++) {
      await expect(transport.receive(message)).rejects.toThrow('The bank is closed.');
    }
    expect(await billing.deadLetters.list()).toEqual([]);
    await transport.receive(message);
    const [letter, ...others] = await billing.deadLetters.list();
    expect(others).toEqual([]);
    expect(letter).toMatchObject({
      direction: 'incoming',
      cause: 'AttemptsExhausted',
      attempts: 10,
      destination: 'inbox:billing',
      origin: 'orders',
      errorMessage: 'The bank is closed.',
      message: { id: message.id, scope: message.scope },
    });
    expect(reports).toHaveLength(10);
    expect(await records(billing, MessageDeadLettered)).toMatchObject([{ messageId: message.id, attempt: 10 }]);
    // The broker considers it processed: a further delivery changes nothing.
    isBroken = false;
    await transport.receive(message);
    expect(await typesOf(billing)).toEqual([]);

    isBroken = true;
    await expect(billing.deadLetters.replay(letter!.id)).rejects.toThrow('The bank is closed.');
    expect(await billing.deadLetters.list()).toHaveLength(1);
    isBroken = false;
    const twice = await Promise.allSettled([1, 2].map(() => billing.deadLetters.replay(letter!.id)));
    expect(twice.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await typesOf(billing)).toEqual(['billing.CardCharged']);
    expect(await billing.deadLetters.list()).toEqual([]);
    await expect(billing.deadLetters.replay(letter!.id)).rejects.toMatchObject({ code: 'SVC_UNKNOWN_DEAD_LETTER' });
  });

  it('(error events) attempt is the real number of a retried command, and continues in replays', async () => {
    const transport = new ManualTransport();
    let fails: Error | null = new Error('The bank is closed.');
    const registry = billingRegistry(() => {
      if (fails !== null) throw fails;
    });
    const billing = await startHost(registry, transport, { storage: storage(), report });
    const message = chargeMessage();
    for (let attempt = 1; attempt < 10; attempt++) await transport.receive(message).catch(() => {});
    await transport.receive(message);
    const [letter] = await billing.deadLetters.list();
    for (let i = 0; i < 2; i++) await billing.deadLetters.replay(letter!.id).catch(() => {});
    const failed = await records(billing, ReceptorFailed);
    expect(failed.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(new Set(failed.map(({ messageId }) => messageId))).toEqual(new Set([message.id]));
    fails = null;
    await billing.deadLetters.replay(letter!.id);

    const other = chargeMessage();
    fails = new Error('The bank is closed.');
    await transport.receive(other).catch(() => {});
    fails = new CommandRejectedError('No.');
    await transport.receive(other);
    expect((await records(billing, MessageDeadLettered)).at(-1)).toMatchObject({ messageId: other.id, attempt: 2 });
  });

  it('a command for a host without an inbox becomes a dead letter of the sender, and is replayed once there is an inbox', async () => {
    const transport = new InProcessTransport();
    const orders = await startHost(ordersRegistry(), transport.host('orders'), { storage: storage(), report });
    await order(orders, { amount: 7 });
    await expect
      .poll(() => orders.deadLetters.list())
      .toMatchObject([
        {
          direction: 'outgoing',
          cause: 'NoInbox',
          destination: 'inbox:billing',
          message: { type: 'billing.ChargeCard' },
        },
      ]);
    const billing = await startHost(billingRegistry(), transport.host('billing'));
    const [letter] = await orders.deadLetters.list();
    await orders.deadLetters.replay(letter!.id);
    await expect.poll(() => typesOf(billing)).toEqual(['billing.CardCharged']);
    expect((await eventsOf(billing))[0]!.causationId).toBe(letter!.message.id);
    expect(await orders.deadLetters.list()).toEqual([]);
  });
});
