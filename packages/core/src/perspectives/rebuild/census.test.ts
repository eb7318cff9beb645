import { expect, it } from 'vitest';
import { newId } from '../../messages/index.js';
import { EventLog, InMemoryStorage } from '../../storage/index.js';
import { ModelEvents } from '../apply/model-events.js';
import { appendEvent } from '../testing/trial-events.js';
import { Noted, registryOf } from '../testing/trial-messages.js';
import { namedPerspective } from '../testing/trial-perspective.js';
import { Census } from './census.js';

it('counts the streams that are complete at a place', async () => {
  const storage = new InMemoryStorage();
  const log = new EventLog(storage, registryOf(Noted));
  const named = namedPerspective({ perspective: { apply: () => ({}) }, events: [Noted] });
  const finder = ModelEvents.ofServing(named, { log, storage: storage.perspectives });
  const empty = await Census.take(log, finder, undefined);
  expect([empty.streams, empty.head.sequence]).toEqual([0, -1]);
  const [one, two] = [newId(), newId()];
  for (const streamId of [one, two, one, newId()]) appendEvent(storage, { streamId });
  appendEvent(storage, { type: 'test.Other' });
  const census = await Census.take(log, finder, undefined);
  expect([census.streams, census.head]).toEqual([3, { sequence: 3 }]);
  expect([-1, 0, 1, 2, 3, 9].map((sequence) => census.streamsUpTo({ sequence }))).toEqual([0, 0, 1, 2, 3, 3]);
});
