import { expect, it } from 'vitest';
import { MessageRegistry, newId, wrap } from '../messages/index.js';
import { EventLog, InMemoryStorage } from '../storage/index.js';
import { UnitOfWork } from './unit-of-work.js';

class Happened {}
const messages = new MessageRegistry([
  { type: 'test.Happened', kind: 'event', class: Happened, read: () => new Happened(), write: JSON.stringify },
]);
const happened = () => wrap('test.Happened', new Happened());

it('finds an event by its id: a stored one, and its own at their future positions', async () => {
  const log = new EventLog(new InMemoryStorage(), messages);
  const streamId = newId();
  const [stored, outside, inside] = [happened(), happened(), happened()];
  const first = new UnitOfWork(log, null, null);
  first.append(streamId, stored);
  await first.commit();
  const outer = new UnitOfWork(log, null, null);
  outer.append(newId(), happened());
  outer.append(streamId, outside);
  const inner = new UnitOfWork(log, outer, null);
  inner.append(streamId, inside);
  expect(await inner.findEvent(stored.id)).toMatchObject({ streamId, position: 0, envelope: { id: stored.id } });
  expect(await inner.findEvent(outside.id)).toEqual({ streamId, position: 1, envelope: outside });
  expect(await inner.findEvent(inside.id)).toEqual({ streamId, position: 2, envelope: inside });
  expect(await outer.findEvent(inside.id), 'not handed over yet').toBeNull();
  expect(await inner.findEvent(newId())).toBeNull();
});
