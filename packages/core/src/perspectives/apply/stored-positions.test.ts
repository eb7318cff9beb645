import { expect, it, vi } from 'vitest';
import type { Uuid } from '../../json/index.js';
import { MessageRegistry, newId, type MessageDescriptor } from '../../messages/index.js';
import { ScopeFilters } from '../../security/index.js';
import {
  behindEverything,
  EventLog,
  InMemoryStorage,
  type ModelSource,
  type PendingRecord,
} from '../../storage/index.js';
import { ModelOwners } from '../model-owner.js';
import type { NamedPerspective } from '../perspective.js';
import { ModelEvents } from './model-events.js';

class Noted {}
const described: MessageDescriptor = {
  type: 'test.Noted',
  kind: 'event',
  class: Noted,
  read: () => new Noted(),
  write: () => '{}',
};
const named: NamedPerspective = {
  name: 'Notes',
  perspective: { apply: () => ({}), keyOf: () => 'k' },
  events: [Noted],
  columns: [],
  owners: new ModelOwners(ScopeFilters.None),
  readModel: (value) => value as object,
  writeModel: JSON.stringify,
};

it('reads the stored positions of a model in several blocks of a stream at once, in ascending order', async () => {
  const storage = new InMemoryStorage();
  const streamId = newId();
  const ids: Uuid[] = [];
  for (let i = 0; i < 70; i++) {
    const id = newId();
    ids.push(id);
    const event: PendingRecord = {
      id,
      type: 'test.Noted',
      streamId,
      body: '{}',
      timestamp: 0,
      correlationId: id,
      causationId: null,
      scope: null,
      metadata: {},
      expectedPosition: undefined,
    };
    storage.commit({ events: [event], outgoing: [], delivered: null, received: [] });
  }
  const blockOf = (block: number, events: number): ModelSource => ({
    id: 'k',
    streamId,
    block,
    events,
    lastEventId: ids.at(-1)!,
  });
  const read = vi.spyOn(storage, 'readPositions');
  const sources = [blockOf(2, 0b1), blockOf(0, 0b101), blockOf(1, 0b10)];
  const log = new EventLog(storage, new MessageRegistry([described]));
  const finder = new ModelEvents(named, log, () => Promise.resolve({ sources, next: null }));
  const wanted = { after: null, count: Infinity, upTo: { sequence: behindEverything }, stops: new Map() };
  const found = await finder.ofModel('k', wanted, []);
  expect(found.map(({ position }) => position)).toEqual([0, 2, 33, 64]);
  expect(read.mock.calls).toEqual([[streamId, [0, 2, 33, 64]]]);
});
