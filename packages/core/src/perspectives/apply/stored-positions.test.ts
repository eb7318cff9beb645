import { expect, it, vi } from 'vitest';
import { newId } from '../../messages/index.js';
import { behindEverything, EventLog, InMemoryStorage, type ModelSource } from '../../storage/index.js';
import { appendEvent } from '../testing/trial-events.js';
import { Noted, trialMessages } from '../testing/trial-messages.js';
import { namedPerspective } from '../testing/trial-perspective.js';
import { ModelEvents } from './model-events.js';

const named = namedPerspective({ perspective: { apply: () => ({}), keyOf: () => 'k' }, events: [Noted] });

it('reads the stored positions of a model in several blocks of a stream at once, in ascending order', async () => {
  const storage = new InMemoryStorage();
  const streamId = newId();
  const ids = Array.from({ length: 70 }, () => appendEvent(storage, { streamId }).id);
  const blockOf = (block: number, events: number): ModelSource => ({
    id: 'k',
    streamId,
    block,
    events,
    lastEventId: ids.at(-1)!,
  });
  const read = vi.spyOn(storage, 'readPositions');
  const sources = [blockOf(2, 0b1), blockOf(0, 0b101), blockOf(1, 0b10)];
  const log = new EventLog(storage, trialMessages);
  const finder = new ModelEvents(named, log, () => Promise.resolve({ sources, next: null }));
  const wanted = { after: null, count: Infinity, upTo: { sequence: behindEverything }, stops: new Map() };
  const found = await finder.ofModel('k', wanted, []);
  expect(found.map(({ position }) => position)).toEqual([0, 2, 33, 64]);
  expect(read.mock.calls).toEqual([[streamId, [0, 2, 33, 64]]]);
});
