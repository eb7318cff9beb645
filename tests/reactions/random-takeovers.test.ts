/**
 * Services that take a reaction over from each other, while attempts fail at random: each event has one effect, in the order of its stream.
 * SVC_REACTION_SEEDS runs more cases.
 */
import { newId, type ReactionContext, type Service, type Uuid } from '@svc/core';
import { reactionSegments } from '@svc/core/storage';
import { describe, expect, it } from 'vitest';
import { describeStores } from '../perspectives/storages.js';
import { OrderPaid } from '../system-events/shop.js';
import { append, eventsIn, reactionOf, started } from './reaction-shop.js';

const seeds = Number(process.env['SVC_REACTION_SEEDS'] ?? '1');

/** Numbers from 0 to 1 that a seed determines. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Some of the segments: a host takes over those of another one, not always all. */
function someSegments(random: () => number): number[] {
  return Array.from({ length: reactionSegments }, (_, segment) => segment).filter(() => random() < 0.5);
}

describe('reactions under random takeovers', () => {
  describeStores((stores) => {
    it.each(Array.from({ length: seeds }, (_, i) => i + 1))(
      'have each effect once, in order (seed %i)',
      async (seed) => {
        const random = randomOf(seed);
        // So short that the hosts take over from each other.
        const open = await stores.fresh(40);
        const retry = { attempts: 1_000, firstDelayMs: 1, longestDelayMs: 4 };
        const charging = reactionOf(
          { name: 'Charging', retry, concurrency: 4 },
          async (_event, context: ReactionContext) => {
            context.append(context.envelope.streamId!, new OrderPaid());
            if (random() < 0.3) await new Promise((resolve) => setImmediate(resolve));
            if (random() < 0.2) throw new Error('at random');
          },
        );
        const storage = open();
        const service = await started([charging], storage);
        const services: Service[] = [service, await started([charging], open())];
        const streams = Array.from({ length: 6 }, () => newId());
        for (let i = 0; i < 60; i++) {
          await append(services[i % 2]!, String(i), streams[Math.floor(random() * streams.length)]);
          // What a host that takes over, or an operator, does at any moment.
          if (random() < 0.2) await storage.reactions!.begin('Charging', someSegments(random));
          if (random() < 0.05) await storage.reactions!.retry('Charging', null);
        }
        await expect.poll(() => missing(service, streams), { timeout: 20_000, interval: 100 }).toBe(0);
        for (const one of services) await one.idle();
        for (const stream of streams) {
          const events = await eventsIn(service, stream);
          const placed = events.filter(({ envelope }) => envelope.type === 'shop.OrderPlaced');
          const paid = events.filter(({ envelope }) => envelope.type === 'shop.OrderPaid');
          expect(paid.map(({ envelope }) => envelope.causationId)).toEqual(placed.map(({ envelope }) => envelope.id));
        }
      },
    );
  });
});

/** How many orders have no effect yet. */
async function missing(service: Service, streams: readonly Uuid[]): Promise<number> {
  let count = 0;
  for (const stream of streams) {
    for (const { envelope } of await eventsIn(service, stream)) count += envelope.type === 'shop.OrderPlaced' ? 1 : -1;
  }
  return count;
}
