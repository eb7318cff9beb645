/** `npm run fuzz`: sends mutated requests to the reference service, and reports failures. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../command-line/run-command.mjs';
import { readOptions, usage } from './options.mjs';
import { replay } from './replay.mjs';
import { progressLine, reportOf } from './report.mjs';
import { fuzz } from './run.mjs';

const runs = fileURLToPath(new URL('../../.cache/fuzz', import.meta.url));

await runCommand(usage, main);

async function main(args) {
  const options = readOptions(args);
  if (options.replay !== null) return !(await replay(options.replay, console.log));
  const folder = join(runs, `${options.seed}-${Date.now()}`);
  mkdirSync(folder, { recursive: true });
  console.log(`seed ${String(options.seed)}, ${String(options.database)}`);
  const started = performance.now();
  const onProgress = (session, sent) =>
    console.log(progressLine(session, sent, options.requests, (performance.now() - started) / 1000));
  const result = await fuzz({ ...options, folder, onProgress });
  console.log(reportOf(result));
  // The files of a failing run are needed to investigate it.
  if (result.failureCount === 0) rmSync(folder, { recursive: true });
  return result.failureCount === 0;
}
