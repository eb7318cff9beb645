/**
 * Random histories on hosts whose clocks are wrong by up to an hour and step both ways while they run: every model is the fold of its log in causal
 * order, live, after rewinds and after rebuilds.
 *
 * `SVC_TEST_HISTORIES=10` for ten times as many; `SVC_TEST_SEED` repeats the steps of a run. When hosts work concurrently, their commits may still
 * interleave in another way.
 */
import { RebuildMode } from '@svc/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LedgerHistory, type Figures } from './ledger-history.js';
import { LedgerNetwork, type DatabaseKind } from './ledger-network.js';
import { skews, steps, type Step } from './ledger-steps.js';

const seed = Number(process.env['SVC_TEST_SEED'] ?? Date.now() % 2 ** 31);
const times = Number(process.env['SVC_TEST_HISTORIES'] ?? 1);
/** A rebuild replays what all histories on a network have left. */
const historiesPerNetwork = 6;

/** The databases, and the hosts on each: one of these after the other, from one that the seed chooses. */
const networks: Readonly<Record<string, readonly (readonly [readonly DatabaseKind[], readonly number[]])[]>> = {
  'one PostgreSQL database': [1, 2, 3].map((hosts) => [['postgres'], [hosts]]),
  'one SQLite database': [1, 2, 3].map((hosts) => [['sqlite'], [hosts]]),
  'two databases with a broker between them': [
    [
      ['postgres', 'postgres'],
      [2, 1],
    ],
    [
      ['postgres', 'sqlite'],
      [1, 1],
    ],
    [
      ['postgres', 'postgres'],
      [1, 1],
    ],
    [
      ['sqlite', 'postgres'],
      [1, 2],
    ],
  ],
};

const append = (host: number, stream: number): Step => ({
  kind: 'append',
  host,
  stream,
  ledger: 0,
  sees: 'nothing',
  which: 0,
});

/** What is published late from a host with a clock behind: on two databases it rewinds models. */
const delayed: readonly Step[] = [
  { kind: 'cut', database: 0 },
  append(0, 0),
  ...[1, 2].flatMap((host) => [append(host, 0), append(host, 1)]),
  { kind: 'check' },
  { kind: 'connect' },
];

it.each(Object.keys(networks))(
  `every model equals the fold of its log in causal order, on 1 to 3 hosts of %s (SVC_TEST_SEED=${seed})`,
  { timeout: 300_000 + times * 60_000 },
  async (name) => {
    const figures: Figures = { events: 0, received: 0, rewinds: 0, rebuilds: 0, restarts: 0 };
    const kinds = networks[name]!;
    let network: LedgerNetwork | undefined;
    let run = 0;
    await fc.assert(
      fc.asyncProperty(skews, steps, async (firstSkews, taken) => {
        if (run % historiesPerNetwork === 0) {
          await network?.end();
          network = await LedgerNetwork.start(...kinds[(seed + run / historiesPerNetwork) % kinds.length]!);
        }
        run++;
        const one = new LedgerHistory(network!, figures);
        await one.begin(firstSkews);
        for (const step of taken) await one.take(step);
        await one.end(run % 2 === 0 ? RebuildMode.BlueGreen : RebuildMode.InPlace);
      }),
      { seed, numRuns: 3 * times, endOnFailure: true, examples: [[[-3_600_000, 0, 0], [...delayed]]] },
    );
    if (times > 1) console.info(name, { histories: run, ...figures });
    const isConnected = kinds[0]![0].length > 1;
    if (isConnected) expect(figures.rewinds, 'rewinds by events of the other database').toBeGreaterThan(0);
    else expect(figures.rewinds + figures.received, 'rewinds and received events').toBe(0);
  },
);
