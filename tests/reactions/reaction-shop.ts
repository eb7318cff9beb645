/** Reactions of the small shop, as the generator would describe them. */
import {
  createService,
  newId,
  reaction,
  SystemEventStream,
  type MessageClass,
  type Reaction,
  type ReactionContext,
  type Service,
  type ServiceRegistry,
  type StreamEvent,
  type Uuid,
} from '@svc/core';
import { type Storage } from '@svc/core/storage';
import { wrap } from '@svc/core/testing';
import { onTestFinished } from 'vitest';
import { OrderPlaced, shopRegistry } from '../system-events/shop.js';

type ReactionDescriptor = NonNullable<ServiceRegistry<object>['reactions']>[number];

/** What a reaction of a test does. */
export type React = (event: { readonly note: string }, context: ReactionContext) => void | Promise<void>;

/** A reaction with options, to some events: `OrderPlaced` by default. */
export function reactionOf(
  options: Parameters<typeof reaction>[0],
  react: React,
  events: readonly MessageClass[] = [OrderPlaced],
): ReactionDescriptor {
  class TestReaction implements Reaction<OrderPlaced> {
    react(event: OrderPlaced, context: ReactionContext): void | Promise<void> {
      return react(event, context);
    }
  }
  reaction(options)(TestReaction);
  return { name: 'TestReaction', class: TestReaction, events, create: () => new TestReaction() };
}

/** Not started yet. Stopped when the test has ended. */
export function shopWith(reactions: readonly ReactionDescriptor[], storage: Storage): Service {
  const service = createService({ ...shopRegistry(), reactions })
    .useStorage(storage)
    .addSystemEventAuditing((options) => options.enableAll())
    .addServiceReactions()
    .reportTo(() => {});
  onTestFinished(() => service.stop());
  return service;
}

export async function started(reactions: readonly ReactionDescriptor[], storage: Storage): Promise<Service> {
  const service = shopWith(reactions, storage);
  service.start();
  await service.ready();
  return service;
}

/** Appends an order to a stream. */
export async function append(service: Service, note: string, streamId: Uuid = newId()): Promise<Uuid> {
  await service.eventStore.append(streamId, wrap('shop.OrderPlaced', Object.assign(new OrderPlaced(), { note })));
  return streamId;
}

export async function eventsIn(service: Service, streamId: Uuid): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of service.eventStore.readStream(streamId)) events.push(event);
  return events;
}

/** The system events of a type. */
export async function systemEvents(service: Service, type: string): Promise<StreamEvent[]> {
  const events = await eventsIn(service, SystemEventStream.streamId);
  return events.filter(({ envelope }) => envelope.type === type);
}
