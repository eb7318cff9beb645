import { expect, it } from 'vitest';
import { newId } from '../../messages/index.js';
import { OutboxQueue } from './outbox-queue.js';

const messages = (count: number) => Array.from({ length: count }, () => ({ id: newId() }));
const idsOf = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id);

it('hands out the oldest first, as many as were asked for', () => {
  const queue = new OutboxQueue();
  const all = messages(5);
  for (const message of all) queue.add(message);
  expect(queue.oldest(3)).toEqual(all.slice(0, 3));
  expect(queue.oldest(9)).toEqual(all);
});

it('says which of some ids is not there, in whatever order they are asked for', () => {
  const queue = new OutboxQueue();
  const all = messages(4);
  for (const message of all) queue.add(message);
  const stranger = newId();
  expect(queue.missing(all.map(({ id }) => id))).toBeUndefined();
  expect(queue.missing(all.map(({ id }) => id).toReversed())).toBeUndefined();
  expect(queue.missing([all[1]!.id, stranger, all[0]!.id])).toBe(stranger);
  queue.remove([all[0]!.id]);
  expect(queue.missing([all[0]!.id])).toBe(all[0]!.id);
});

it('loses nothing when many leave, at the front and in between', () => {
  const queue = new OutboxQueue<{ id: ReturnType<typeof newId> }>();
  let expected = messages(5_000);
  for (const message of expected) queue.add(message);
  for (let round = 0; expected.length > 0; round++) {
    const gone = round % 3 === 0 ? expected.slice(7, 9).toReversed() : expected.slice(0, 240);
    queue.remove(gone.map(({ id }) => id));
    expected = expected.filter((message) => !gone.includes(message));
    if (round % 5 === 0) expect(idsOf(queue.oldest(6_000))).toEqual(idsOf(expected));
    if (expected.length < 9) break;
  }
  expect(idsOf(queue.oldest(6_000))).toEqual(idsOf(expected));
});
