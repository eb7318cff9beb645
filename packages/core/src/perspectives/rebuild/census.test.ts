import { expect, it } from 'vitest';
import { MessageRegistry, newId } from '../../messages/index.js';
import { ScopeFilters } from '../../security/index.js';
import { EventLog, InMemoryStorage, type PendingRecord } from '../../storage/index.js';
import { ModelEvents } from '../apply/model-events.js';
import { ModelOwners } from '../model-owner.js';
import type { NamedPerspective } from '../perspective.js';
import { Census } from './census.js';

class Noted {}

it('counts the streams that are complete at a place', async () => {
  const storage = new InMemoryStorage();
  const described = { type: 'test.Noted', kind: 'event', class: Noted, write: JSON.stringify } as const;
  const log = new EventLog(storage, new MessageRegistry([{ ...described, read: () => new Noted() }]));
  const named: NamedPerspective = {
    name: 'Notes',
    perspective: { apply: () => ({}) },
    events: [Noted],
    columns: [],
    owners: new ModelOwners(ScopeFilters.None),
    readModel: (value) => value as object,
    writeModel: JSON.stringify,
  };
  const finder = ModelEvents.ofServing(named, { log, storage: storage.perspectives });
  const empty = await Census.take(log, finder, undefined);
  expect([empty.streams, empty.head.sequence]).toEqual([0, -1]);
  const append = (streamId = newId(), type = 'test.Noted'): void => {
    const id = newId();
    const fields = { timestamp: 0, correlationId: id, causationId: null, scope: null, metadata: {} };
    const event: PendingRecord = { id, type, streamId, body: '{}', ...fields, expectedPosition: undefined };
    storage.commit({ events: [event], outgoing: [], delivered: null, received: [] });
  };
  const [one, two] = [newId(), newId()];
  for (const streamId of [one, two, one, newId()]) append(streamId);
  append(newId(), 'test.Other');
  const census = await Census.take(log, finder, undefined);
  expect([census.streams, census.head]).toEqual([3, { sequence: 3 }]);
  expect([-1, 0, 1, 2, 3, 9].map((sequence) => census.streamsUpTo({ sequence }))).toEqual([0, 0, 1, 2, 3, 3]);
});
