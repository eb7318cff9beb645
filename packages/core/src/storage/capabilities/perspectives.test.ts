import { expect, it } from 'vitest';
import { MessageRegistry, newId } from '../../messages/index.js';
import { around } from '../database/around.js';
import { EventLog } from '../log/event-log.js';
import { InMemoryPerspectives } from '../memory/in-memory-perspectives.js';
import { InMemoryStorage } from '../memory/in-memory-storage.js';
import type { PerspectiveStorage } from '../models/perspective-storage.js';
import type { OutgoingRecord } from '../outgoing-record.js';
import type { Storage } from '../storage.js';
import { perspectivesOf } from './perspectives.js';

const unreported = (error: unknown): never => {
  throw error;
};

function outgoing(): OutgoingRecord {
  const id = newId();
  const rest = { timestamp: 0, correlationId: id, causationId: null, scope: null, metadata: {} };
  const message = { id, type: 'svc.PerspectiveRebuilt', body: '{}', ...rest };
  return { id, lane: 'system', destination: 'audit', message, note: null, eventId: null };
}

async function commit(perspectives: PerspectiveStorage, messages: readonly OutgoingRecord[]): Promise<void> {
  const from = await perspectives.readProgress('p');
  const changes = { models: [], sources: [], rewound: [], snapshots: [], stopped: [], resumed: [] };
  await perspectives.commitPerspective({ perspective: 'p', from, to: from.sequence, ...changes, outgoing: messages });
}

it('returns the perspectives of a storage that has them', () => {
  const storage = new InMemoryStorage();
  const log = new EventLog(storage, new MessageRegistry([]));
  expect(perspectivesOf(storage, log, unreported)).toBe(storage.perspectives);
});

it('holds models in memory for a storage without them', async () => {
  const storage = new InMemoryStorage();
  const id = newId();
  const message = { timestamp: 0, correlationId: id, causationId: null, scope: null, metadata: {} };
  const event = { id, type: 'test.Happened', streamId: newId(), body: '{}', ...message, expectedPosition: undefined };
  storage.commit({ events: [event], outgoing: [], delivered: null, received: [] });
  const perspectives = perspectivesOf({}, new EventLog(storage, new MessageRegistry([])), unreported);
  expect(perspectives).toBeInstanceOf(InMemoryPerspectives);
  expect(await perspectives.readStandings(['p'], 10), 'it reads the log').toMatchObject([{ behind: 1, oldest: 0 }]);
});

it('puts the messages of models in memory into the outbox of the storage', async () => {
  const storage = new InMemoryStorage();
  const perspectives = perspectivesOf({}, new EventLog(storage, new MessageRegistry([])), unreported);
  const one = outgoing();
  await commit(perspectives, [one]);
  await expect.poll(() => storage.readOutgoing('system', 10)).toHaveLength(1);
  expect(await storage.readOutgoing('system', 10)).toMatchObject([{ id: one.id, message: { id: one.id } }]);
});

it('reports messages that cannot be put into the outbox, and commits the models', async () => {
  const storage = around<Storage>(new InMemoryStorage(), { commit: () => Promise.reject(new Error('away')) });
  const reported: unknown[] = [];
  const perspectives = perspectivesOf({}, new EventLog(storage, new MessageRegistry([])), (error) =>
    reported.push(error),
  );
  await commit(perspectives, [outgoing()]);
  await expect.poll(() => reported).toEqual([new Error('away')]);
});
