import { expect, it, onTestFinished, vi } from 'vitest';
import { MessageRegistry, newId } from '../messages/index.js';
import { EventLog, InMemoryStorage, reactionSegments, type PendingRecord } from '../storage/index.js';
import type { NamedReaction } from './named-reaction.js';
import type { ReactionParts } from './reaction-parts.js';
import { ReactionWorker } from './reaction-worker.js';

class Noted {}
const messages = new MessageRegistry([
  { type: 'test.Noted', kind: 'event', class: Noted, read: () => new Noted(), write: () => '{}' },
]);

/** An event of a stream of its own. */
function noted(): PendingRecord {
  const id = newId();
  const nothing = { causationId: null, scope: null, metadata: {}, expectedPosition: undefined };
  return { ...nothing, id, type: 'test.Noted', streamId: id, body: '{}', timestamp: 0, correlationId: id };
}

const named: NamedReaction = {
  name: 'Counting',
  events: [Noted],
  start: () => Promise.reject(new Error('The test reacts itself.')),
  isProcess: false,
  settings: {
    name: null,
    from: 'beginning',
    concurrency: 10,
    retry: { attempts: 1, firstDelayMs: 1, longestDelayMs: 1, except: [] },
  },
};

/** A worker that runs all segments of a reaction, and how often it reads the log and reacts. */
async function counting(events: number) {
  const storage = new InMemoryStorage();
  storage.commit({ events: Array.from({ length: events }, noted), outgoing: [], delivered: null, received: [] });
  await storage.reactions.register(named.name, 'beginning');
  const read = vi.spyOn(storage, 'readAll');
  const react = vi.fn<ReactionParts['react']>(() => Promise.resolve(null));
  const worker = new ReactionWorker(named, {
    log: new EventLog(storage, messages),
    storage: storage.reactions,
    held: () => Promise.resolve(Array.from({ length: reactionSegments }, (_, segment) => segment)),
    react,
    parked: () => Promise.resolve(),
    report: (error) => expect.unreachable(String(error)),
  });
  onTestFinished(() => worker.stop());
  return { worker, read, react };
}

it('reads the log once when it is woken', async () => {
  const { worker, read, react } = await counting(2_500);
  worker.wake();
  await worker.idle();
  expect(react).toHaveBeenCalledTimes(2_500);
  expect(read).toHaveBeenCalledTimes(1);
});

it('continues if a round had no time for all events', async () => {
  const { worker, read, react } = await counting(2_500);
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 1_000));
  onTestFinished(() => clock.mockRestore());
  worker.wake();
  await worker.idle();
  expect(react).toHaveBeenCalledTimes(2_500);
  expect(read.mock.calls.length).toBeGreaterThan(2);
});
