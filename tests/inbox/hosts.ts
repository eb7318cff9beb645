/** Hosts that send commands to each other, and what their tests need. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createService, InMemoryStorage, newId, type Service, type ServiceRegistry } from '@svc/core';
import type { Storage } from '@svc/core/storage';
import {
  inboxOf,
  type ReceiveCommand,
  type ReceivedMessage,
  type Transport,
  type TransportMessage,
} from '@svc/core/transport';
import { collect, receivedMessage } from '@svc/core/testing';
import { onTestFinished } from 'vitest';
import { billingRegistry, ChargeCard, PlaceOrder } from './shops.js';

export interface HostOptions {
  readonly storage?: Storage;
  readonly report?: (error: unknown) => void;
}

/** Starts a service that audits everything and, if it has the receptor, accepts the command; it stops after the test. */
export async function startHost(
  registry: ServiceRegistry<object>,
  transport: Transport,
  { storage = new InMemoryStorage(), report = () => {} }: HostOptions = {},
): Promise<Service> {
  const service = createService(registry)
    .addService()
    .useStorage(storage)
    .useTransport(transport)
    .addSystemEventAuditing((options) => options.enableAll())
    .reportTo(report);
  if (!registry.messages.some((message) => message.class === ChargeCard)) service.addCommandsOf(billingRegistry());
  else service.acceptCommands({ from: ['orders', 'billing'], commands: [ChargeCard] });
  service.start();
  onTestFinished(() => service.stop());
  await service.ready();
  return service;
}

export const order = (service: Service, fields: Partial<PlaceOrder> = {}): Promise<unknown> =>
  service.dispatcher.invoke(Object.assign(new PlaceOrder(), fields));

export async function eventsOf(service: Service) {
  const all = await collect(service.eventStore.readAll());
  return all.filter(({ envelope }) => !envelope.type.startsWith('svc.')).map(({ envelope }) => envelope);
}

export async function typesOf(service: Service): Promise<string[]> {
  return (await eventsOf(service)).map(({ type }) => type);
}

/** A file for a database, which is removed after the test. */
export function databaseFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-inbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'host.db');
}

/** Delivers the commands that a test passes to `receive`, and accepts every message that is published. */
export class ManualTransport implements Transport {
  readonly hostName = 'billing';
  readonly published: TransportMessage[] = [];
  receive: ReceiveCommand = () => Promise.resolve(null);
  canProve = () => true;

  publish(messages: readonly TransportMessage[]): Promise<void> {
    this.published.push(...messages);
    return Promise.resolve();
  }

  subscribe = () => Promise.resolve({ isUp: true, close: () => Promise.resolve() });

  openInbox(receive: ReceiveCommand) {
    this.receive = receive;
    return Promise.resolve({ isUp: true, close: () => Promise.resolve() });
  }
}

export function chargeMessage(fields: Partial<ReceivedMessage> = {}): ReceivedMessage {
  const id = newId();
  return receivedMessage({
    id,
    type: 'billing.ChargeCard',
    streamId: id,
    body: JSON.stringify({ orderId: newId(), amount: 12 }),
    timestamp: Date.now(),
    correlationId: newId(),
    causationId: newId(),
    scope: { tenantId: 'acme', userId: 'ann' },
    metadata: {},
    destination: inboxOf('billing'),
    origin: 'orders',
    ...fields,
  });
}
