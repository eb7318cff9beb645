/** `svc generate --watch`: the time from a saved source to its generated files. */
import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { failure, start, stop } from '../lib/processes.mjs';
import { contains, generatedFilesWith } from './generated-files.mjs';
import { commandPath, commandText } from './synthetic-service.mjs';

/** The poll interval: precise enough for the figures, and little work. */
const lookEveryMs = 2;
const limitMs = 60_000;

/**
 * Renames a property of one command after another, and returns the milliseconds until each change is in every generated file that
 * names it.
 *
 * @param {readonly string[]} command
 * @param {string} service
 * @param {number} changes
 * @param {(text: string) => void} progress
 */
export async function timeChanges(command, service, changes, progress) {
  const watcher = start(command);
  try {
    await printedLine(watcher, 'Watching');
    /** @type {number[]} */
    const times = [];
    // The first change warms up.
    for (let change = 0; change <= changes; change++) {
      progress(`change ${change} of ${changes} in watch mode`);
      const time = await timeChange(service, change * 3, `remark${change}`);
      if (change > 0) times.push(time);
      // An editor saves again only after the generator has finished.
      await delay(300);
    }
    return times;
  } finally {
    await stop(watcher);
  }
}

/**
 * @param {string} service
 * @param {number} number
 * @param {string} property
 */
async function timeChange(service, number, property) {
  const source = `${commandPath(service, number)}.ts`;
  // Its own files, then the file that describes all commands.
  const files = generatedFilesWith(`${service}/src`, 'remark').filter(
    (file) => file.includes(`change-thing-${number}.`) || file.endsWith('openapi.ts'),
  );
  if (files.length === 0) throw new Error(`Nothing was generated for ${source}.`);
  const started = performance.now();
  writeFileSync(source, commandText(number, property));
  while (!files.every((file) => contains(file, property))) {
    if (performance.now() - started > limitMs)
      throw new Error(`${source} was changed, but its generated files were not.`);
    await delay(lookEveryMs);
  }
  return performance.now() - started;
}

/**
 * @param {import('../lib/processes.mjs').ChildProcess} child
 * @param {string} text
 */
async function printedLine(child, text) {
  let printed = '';
  child.stdout?.setEncoding('utf8').on('data', (more) => (printed += more));
  const started = performance.now();
  while (!printed.includes(text)) {
    if (child.exitCode !== null || performance.now() - started > limitMs) {
      throw failure(child, `did not print "${text}", but: ${printed}`);
    }
    await delay(20);
  }
}
