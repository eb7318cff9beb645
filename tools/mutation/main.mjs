/** `npm run mutate`: changes the sources one operator at a time, and reports the changes that no test notices. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../command-line/run-command.mjs';
import { createCluster } from '../postgres/cluster.mjs';
import { readOptions, usage } from './options.mjs';
import { jsonOf, reportOf } from './report.mjs';
import { mutate } from './run.mjs';

const root = join(import.meta.dirname, '..', '..');
const progressMs = 10_000;

await runCommand(usage, main);

async function main(args) {
  const options = readOptions(args);
  const database = await provideDatabase(options.postgres);
  // The workers end with this process.
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => void database.remove().finally(() => process.exit(1)));
  const started = performance.now();
  let shown = started;
  const onProgress = (what, done, all) => {
    if (performance.now() - shown < progressMs) return;
    shown = performance.now();
    console.log(`${done} of ${all} ${what}`);
  };
  try {
    const result = await mutate(root, { ...options, variant: database.variant }, onProgress);
    const seconds = (performance.now() - started) / 1_000;
    console.log(reportOf(result, seconds));
    if (options.json !== null) writeFileSync(options.json, `${JSON.stringify(jsonOf(result, seconds), null, 2)}\n`);
    return true;
  } finally {
    await database.remove();
  }
}

/** One PostgreSQL for the tests of all workers. Without one, the tests that need it fail without a mutant as well, and are ignored. */
async function provideDatabase(isWanted) {
  const isGiven = isWanted && (process.env['SVC_TEST_DATABASE_URL'] ?? '') !== '';
  const cluster = isWanted && !isGiven ? await createCluster({ fsync: 'off', max_connections: '400' }) : null;
  if (!isGiven) process.env['SVC_TEST_DATABASE_URL'] = cluster?.url ?? 'postgres://127.0.0.1:1/none';
  return {
    variant: isWanted ? 'PostgreSQL' : 'no PostgreSQL',
    remove: async () => await cluster?.remove(),
  };
}
