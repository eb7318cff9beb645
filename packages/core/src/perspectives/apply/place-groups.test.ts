import { expect, it, vi } from 'vitest';
import type { LogPlace } from '../../storage/index.js';
import { groupsByPlace, nearby, nearPair } from './place-groups.js';

const at = (...sequences: readonly number[]) => sequences.map((sequence) => ({ sequence }));
/** The transaction of each sequence number: that of 5 committed before that of 3. */
const transactions = new Map([
  [3, 9],
  [5, 7],
  [6, 9],
]);
const placeAt = (sequence: number): Promise<LogPlace> =>
  Promise.resolve({ sequence, transaction: transactions.get(sequence)! });
const sequencesOf = (groups: readonly { readonly place: LogPlace }[]): number[] =>
  groups.map(({ place }) => place.sequence);

it('are in the order of the log, in which a lower sequence number can come later', async () => {
  const groups = await groupsByPlace(at(6, 3, 5, 3), placeAt);
  expect(sequencesOf(groups)).toEqual([5, 3, 6]);
  expect(groups.map(({ members }) => members.length)).toEqual([1, 2, 1]);
});

it('need no place if there is only one', async () => {
  const read = vi.fn<typeof placeAt>(placeAt);
  expect(sequencesOf(await groupsByPlace(at(3, 3), read))).toEqual([3]);
  expect(await groupsByPlace([], read)).toEqual([]);
  expect(read).not.toHaveBeenCalled();
});

it('are near if few events are between them, each pair once', async () => {
  const groups = await groupsByPlace(at(0, nearby, 2 * nearby + 1, 2 * nearby + 2), (sequence) =>
    Promise.resolve({ sequence }),
  );
  const pairs: number[][] = [];
  for (let pair = nearPair(groups, null); pair !== null; pair = nearPair(groups, pair[1].place)) {
    pairs.push(sequencesOf(pair));
  }
  expect(pairs).toEqual([
    [0, nearby],
    [2 * nearby + 1, 2 * nearby + 2],
  ]);
  expect(nearPair(await groupsByPlace(at(3, 5), placeAt), null)?.map(({ place }) => place.sequence)).toEqual([5, 3]);
});
