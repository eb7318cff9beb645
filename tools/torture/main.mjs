/** `npm run torture`: kills and stops real parts under load, and checks the logs afterwards. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../command-line/run-command.mjs';
import { readOptions, usage } from './options.mjs';
import { addRecord, recordOf } from './record.mjs';
import { commandOf, progressLine, reportOf } from './report.mjs';
import { isSound, torture } from './torture.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const failuresTo = join(root, '.cache/torture');
const recorded = join(root, 'docs/reference/reliability-runs.json');
const progressMs = 10_000;
/** The folders of `tools` that a run uses. */
const sources = ['torture', 'postgres', 'rabbitmq', 'build'].map((name) => `tools/${name}`);

await runCommand(usage, main);

async function main(args) {
  const { run, json, record, ...options } = readOptions(args);
  // Of what runs: the sources may change during a long run.
  const when = { commit: currentCommit(), date: new Date().toISOString().slice(0, 10) };
  const started = performance.now();
  let shown = started;
  const onProgress = (done, round) => {
    if (performance.now() - shown < progressMs) return;
    shown = performance.now();
    console.log(progressLine({ run, done, count: options.count, round, seconds: (shown - started) / 1_000 }));
  };
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort());
  const result = await torture(run, { ...options, failuresTo, onProgress, signal: stopping.signal });
  const command = commandOf(result);
  console.log(reportOf(result));
  console.log(`\nRepeat it: ${command}`);
  if (!isSound(result)) console.log(`The logs of the failed round are in ${failuresTo}.`);
  if (json !== null) {
    mkdirSync(dirname(json), { recursive: true });
    writeFileSync(json, `${JSON.stringify({ command, ...when, ...result }, null, 2)}\n`);
  }
  if (record) addRecord(recorded, recordOf(result, when));
  return isSound(result);
}

/** With a mark if the sources differ from the commit. */
function currentCommit() {
  const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout.trim();
  const changes = git('status', '--porcelain', '--', 'packages', ...sources);
  return git('rev-parse', '--short=12', 'HEAD') + (changes === '' ? '' : ' with changes');
}
