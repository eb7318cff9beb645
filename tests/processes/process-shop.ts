/** Processes of the small shop, as the generator would describe them. */
import {
  createService,
  newId,
  process as processOptions,
  type MessageClass,
  type Process,
  type ProcessContext,
  type Service,
  type ServiceRegistry,
  type Uuid,
} from '@svc/core';
import { type Storage } from '@svc/core/storage';
import { wrap } from '@svc/core/testing';
import { onTestFinished } from 'vitest';
import { OrderPaid, OrderPlaced, shopRegistry, type Receive } from '../system-events/shop.js';

type ProcessDescriptor = NonNullable<ServiceRegistry<object>['processes']>[number];

/** `OrderPlaced` has its key in `note`, `OrderPaid` in `amount`: the part before the colon. */
export type ShopEvent = OrderPlaced | OrderPaid;

/** The texts of the events, in the order in which the instance received them. */
export type Texts = readonly string[];

export type React = (event: ShopEvent, context: ProcessContext<Texts>) => void | Promise<void>;

export function textOf(event: ShopEvent): string {
  return event instanceof OrderPlaced ? `placed ${event.note}` : `paid ${event.amount}`;
}

/** A process whose state are the texts of its events. The key "none" belongs to no instance. */
export function processOf(
  options: Parameters<typeof processOptions>[0],
  react: React,
  events: readonly MessageClass[] = [OrderPlaced, OrderPaid],
): ProcessDescriptor {
  class TestProcess implements Process<Texts, ShopEvent> {
    initial(): Texts {
      return [];
    }
    keyOf(event: ShopEvent): string | null {
      const [key] = (event instanceof OrderPlaced ? event.note : event.amount).split(':');
      return key === 'none' ? null : key!;
    }
    evolve(state: Texts, event: ShopEvent): Texts {
      return [...state, textOf(event)];
    }
    react(event: ShopEvent, context: ProcessContext<Texts>): void | Promise<void> {
      return react(event, context);
    }
  }
  processOptions(options)(TestProcess);
  return { name: 'TestProcess', class: TestProcess, events, create: () => new TestProcess() };
}

export interface ShopOptions {
  readonly receive?: Receive;
  readonly isolatesTenants?: boolean;
}

/** Stopped when the test has ended. */
export async function started(
  processes: readonly ProcessDescriptor[],
  storage: Storage,
  { receive, isolatesTenants = false }: ShopOptions = {},
): Promise<Service> {
  const service = createService({ ...shopRegistry(receive), processes })
    .useStorage(storage)
    .addSystemEventAuditing((options) => options.enableAll())
    .addServiceReactions()
    .reportTo(() => {});
  if (isolatesTenants) service.isolateTenants();
  onTestFinished(() => service.stop());
  service.start();
  await service.ready();
  return service;
}

export interface AppendedTo {
  readonly streamId?: Uuid;
  readonly tenantId?: string;
}

/** Appends an event to a stream, by default to a new one. Returns the id of the event. */
async function append(
  service: Service,
  type: string,
  event: object,
  { streamId = newId(), tenantId }: AppendedTo,
): Promise<Uuid> {
  const scope = tenantId === undefined ? null : { tenantId, userId: 'ann' };
  const envelope = wrap(type, event, { streamId, scope });
  await service.eventStore.append(streamId, envelope);
  return envelope.id;
}

export function place(service: Service, note: string, to: AppendedTo = {}): Promise<Uuid> {
  return append(service, 'shop.OrderPlaced', Object.assign(new OrderPlaced(), { note }), to);
}

export function pay(service: Service, amount: string, to: AppendedTo = {}): Promise<Uuid> {
  return append(service, 'shop.OrderPaid', Object.assign(new OrderPaid(), { amount }), to);
}
