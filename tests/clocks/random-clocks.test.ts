/**
 * Random histories on hosts whose clocks are wrong by up to an hour and step both ways while they run: every model is the fold of its log in causal
 * order, live, after rewinds and after rebuilds.
 *
 * `SVC_TEST_HISTORIES=100` for a hundred random histories instead of one; `SVC_TEST_SEED` repeats the steps of a run. When hosts work concurrently, their commits may still
 * interleave in another way.
 */
import { RebuildMode } from '@svc/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LedgerHistory, type Figures } from './ledger-history.js';
import { LedgerNetwork, type DatabaseKind } from './ledger-network.js';
import { skews, steps, type Append, type Step } from './ledger-steps.js';

const seed = Number(process.env['SVC_TEST_SEED'] ?? Date.now() % 2 ** 31);
const times = Number(process.env['SVC_TEST_HISTORIES'] ?? 1);
/** A rebuild replays what all histories on a network have left. */
const historiesPerNetwork = 5;

interface Composition {
  readonly databases: readonly DatabaseKind[];
  /** How many hosts each of them has. */
  readonly hosts: readonly number[];
}

/** One of each after the other, from one that the seed chooses. The first two of three hosts share a database. */
const networks: Readonly<Record<string, readonly Composition[]>> = {
  'one PostgreSQL database': [1, 2, 3].map((hosts) => ({ databases: ['postgres'], hosts: [hosts] })),
  'one SQLite database': [1, 2, 3].map((hosts) => ({ databases: ['sqlite'], hosts: [hosts] })),
  'two databases with a broker between them': [
    { databases: ['postgres', 'postgres'], hosts: [2, 1] },
    { databases: ['postgres', 'sqlite'], hosts: [1, 1] },
    { databases: ['sqlite', 'postgres'], hosts: [2, 1] },
    { databases: ['postgres', 'postgres'], hosts: [1, 1] },
  ],
};

const hour = 3_600_000;

const append = (host: number, stream: number, sees: Append['sees'] = 'nothing'): Step => ({
  kind: 'append',
  host,
  stream,
  ledger: 0,
  sees,
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

/** A host that is ahead of the others, and more so each time. They append behind it, in other streams, knowing of its event in all ways that there are. */
const ahead: readonly Step[] = (['nothing', 'streams', 'ledger model', 'answered event'] as const).flatMap(
  (sees, i) => [
    { kind: 'clock', host: 0, skewMs: (i - 1) * (hour / 2) },
    append(0, 0),
    { kind: 'exchange' },
    append(1, 1, sees),
    append(2, 2, sees),
  ],
);

it.each(Object.keys(networks))(
  `every model equals the fold of its log in causal order, on 1 to 3 hosts of %s (SVC_TEST_SEED=${seed})`,
  { timeout: 300_000 + times * 60_000 },
  async (name) => {
    const figures: Figures = { events: 0, received: 0, rewinds: 0, rebuilds: 0, restarts: 0 };
    const compositions = networks[name]!;
    let network: LedgerNetwork | undefined;
    let histories = 0;
    const play = async (firstSkews: readonly number[], played: readonly Step[]): Promise<void> => {
      const history = new LedgerHistory(network!, figures);
      await history.begin(firstSkews);
      for (const step of played) await history.take(step);
      await history.end(histories++ % 2 === 0 ? RebuildMode.BlueGreen : RebuildMode.InPlace);
    };
    let run = 0;
    await fc.assert(
      fc.asyncProperty(skews, steps, async (firstSkews, played) => {
        if (run % historiesPerNetwork === 0) {
          await network?.end();
          const { databases, hosts } = compositions[(seed + run / historiesPerNetwork) % compositions.length]!;
          network = await LedgerNetwork.start(databases, hosts);
          await play([-hour, 0, 0], delayed);
          await play([-hour, -hour, -hour], ahead);
        }
        run++;
        await play(firstSkews, played);
      }),
      { seed, numRuns: times, endOnFailure: true },
    );
    if (times > 1) console.info(name, { histories, ...figures });
    if (compositions[0]!.databases.length > 1) expect(figures.rewinds, 'rewinds').toBeGreaterThan(0);
    else expect(figures.rewinds + figures.received, 'rewinds and received events').toBe(0);
  },
);
