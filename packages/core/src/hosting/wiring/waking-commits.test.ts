import { expect, it } from 'vitest';
import { WakingCommits, type Committed, type CommittedWork } from './waking-commits.js';

const none: Committed = { events: [], outgoing: [] };
const [events, outgoing] = [['an event'], ['a message']];

/** What is woken for records that are committed in one turn. */
async function wokenFor(...records: readonly Partial<Committed>[]): Promise<readonly CommittedWork[]> {
  const woken: CommittedWork[] = [];
  const commits = new WakingCommits((work) => void woken.push(work));
  for (const record of records) commits.committed({ ...none, ...record });
  expect(woken).toEqual([]);
  await Promise.resolve();
  return woken;
}

it.each<[Partial<Committed>, CommittedWork]>([
  [{ events }, { systemEvents: false, messages: false, events: true }],
  [{ outgoing }, { systemEvents: true, messages: true, events: false }],
  [
    { events, outgoing },
    { systemEvents: true, messages: true, events: true },
  ],
  [
    { outgoing, systemAtOnce: true },
    { systemEvents: false, messages: true, events: true },
  ],
  [{}, { systemEvents: false, messages: false, events: false }],
])('tells what a record has added: case %#', async (record, work) => {
  expect(await wokenFor(record)).toEqual([work]);
});

it('wakes once for all records of a turn, and again after it', async () => {
  expect(await wokenFor({ events }, { outgoing }, { events })).toEqual([
    { systemEvents: true, messages: true, events: true },
  ]);
  let turns = 0;
  const commits = new WakingCommits(() => turns++);
  for (const turn of [1, 2]) {
    commits.committed({ ...none, events });
    await Promise.resolve();
    expect(turns).toBe(turn);
  }
});

it('wakes before the callers of the commits continue', async () => {
  const order: string[] = [];
  const commits = new WakingCommits(() => order.push('woken'));
  const batch = Promise.resolve();
  const callers = ['first', 'second'].map(async (caller) => {
    await batch.then(() => commits.committed({ ...none, events }));
    order.push(caller);
  });
  await Promise.all(callers);
  expect(order).toEqual(['woken', 'first', 'second']);
});
