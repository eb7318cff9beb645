/** Short versions of the runs of `npm run torture` in which callers place orders. `SVC_TEST_TORTURE=all` runs all of them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lastRelease, Servers, type TortureOptions } from '../../tools/torture/index.mjs';
import { createSmallDisk } from '../../tools/torture/small-disk.mjs';
import { brokerUrl } from '../rabbitmq/test-broker.js';
import { expectSound, seed } from './torture.js';

const runs: Record<string, Partial<TortureOptions>> = {
  kills: { count: 2 },
  crashes: { count: 2 },
  failover: {},
  disk: { storage: 'sqlite' },
  // Before the first release, hosts of the last commit are replaced by hosts of the built sources.
  upgrade: { storage: 'sqlite', from: lastRelease() ?? 'HEAD' },
};

/** Each takes seconds of processor time, so the seed selects between those that are similar. */
function selected(): readonly string[] {
  if (process.env['SVC_TEST_TORTURE'] === 'all') return Object.keys(runs);
  return ['kills', ['crashes', 'failover'][seed % 2]!, ['disk', 'upgrade'][Math.floor(seed / 2) % 2]!];
}

let servers: Servers;

beforeAll(async () => {
  servers = new Servers({ sharedBrokerUrl: await brokerUrl() });
}, 240_000);
afterAll(() => servers.remove());

it.for(selected())(
  `loses nothing and does nothing twice: %s (SVC_TEST_SEED=${seed})`,
  { timeout: 300_000 },
  async (run, { skip }) => {
    const { count = 1, ...options } = runs[run]!;
    skip(run === 'disk' && !mayMount(), 'a small disk needs the right to mount');
    expect(await expectSound(run, { count, ...options, servers })).toMatchObject({ run, done: count, rounds: 1 });
  },
);

/** As root, or in a namespace of its own. */
function mayMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mount-'));
  const disk = createSmallDisk(folder, 1);
  disk?.remove();
  rmSync(folder, { recursive: true, force: true });
  return disk !== null;
}
