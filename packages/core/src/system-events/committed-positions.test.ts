import { expect, it } from 'vitest';
import { newId } from '../messages/index.js';
import type { PendingRecord } from '../storage/index.js';
import { CommittedPositions } from './committed-positions.js';

it('reads the position of the first event of each stream only, and only on demand', async () => {
  const read: unknown[] = [];
  const positions = new CommittedPositions({
    positionOf: (streamId, id) => {
      read.push([streamId, id]);
      return Promise.resolve(10);
    },
  });
  const [a, b] = [newId(), newId()];
  const events = [a, b, a, a].map((streamId) => ({ id: newId(), streamId }) as PendingRecord);
  const found = events.map((event) => positions.next(event));
  expect(read).toEqual([]);
  expect([await found[3]!(), await found[2]!(), await found[0]!()]).toEqual([12, 11, 10]);
  expect(read).toEqual([[a, events[0]!.id]]);
  expect(await found[1]!()).toBe(10);
  expect(read).toHaveLength(2);
});
