import { expect, it } from 'vitest';
import { newId } from '../../messages/index.js';
import type { ProcessStep } from '../process-record.js';
import { InMemoryProcesses } from './in-memory-processes.js';

const [a, b, c] = [newId(), newId(), newId()];

function step(streamId = a, fields: Partial<ProcessStep> = {}): ProcessStep {
  return { streamId, process: 'Payment', tenant: 't', key: 'k', at: 1, isIgnored: false, completes: false, ...fields };
}

const all = { isOpen: false, after: null };

it('counts the events that an instance has processed and ignored, from its first to its last event', async () => {
  const processes = new InMemoryProcesses();
  const started = { streamId: a, process: 'Payment', tenant: 't', key: 'k', startedAt: 5 };
  processes.commit(step(a, { at: 5 }));
  expect(await processes.readInstances(all, 10)).toEqual([
    { ...started, events: 1, ignored: 0, changedAt: 5, isCompleted: false },
  ]);
  processes.commit(step(a, { at: 6, completes: true }));
  processes.commit(step(a, { at: 7, isIgnored: true }));
  processes.commit(step(a, { at: 8, isIgnored: true }));
  expect(await processes.readInstances(all, 10)).toEqual([
    { ...started, events: 2, ignored: 2, changedAt: 8, isCompleted: true },
  ]);
});

it('lists instances in the order of their start, then of their ids', async () => {
  const processes = new InMemoryProcesses();
  processes.commit(step(c, { at: 2 }));
  processes.commit(step(b, { at: 2 }));
  processes.commit(step(a, { at: 3 }));
  // A later event does not change the start.
  processes.commit(step(c, { at: 9 }));
  const ids = async (after: typeof a | null, limit = 10, isOpen = false) =>
    (await processes.readInstances({ isOpen, after }, limit)).map(({ streamId }) => streamId);
  expect(await ids(null)).toEqual([b, c, a]);
  expect(await ids(null, 2)).toEqual([b, c]);
  expect(await ids(b)).toEqual([c, a]);
  expect(await ids(c)).toEqual([a]);
  expect(await ids(a)).toEqual([]);
  expect(await ids(newId())).toEqual([]);
  processes.commit(step(c, { completes: true }));
  expect(await ids(null, 10, true)).toEqual([b, a]);
  // An instance that has ended is still a place in the list.
  expect(await ids(c, 10, true)).toEqual([a]);
});
