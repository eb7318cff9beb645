/** The cost of audit: commands in memory, until their audit records are in the system stream. */
import { fileURLToPath } from 'node:url';
import { pinned, pinning } from '../lib/machine.mjs';
import { message, start, stop } from '../lib/processes.mjs';
import { atLeast, speed, table } from '../lib/report.mjs';
import { interleave } from '../lib/rounds.mjs';
import { median } from '../lib/statistics.mjs';
import { subjects } from './subjects.mjs';

const rate = { name: 'rate', label: 'commands/s', digits: 0, higherIsBetter: true };
const measureScript = fileURLToPath(new URL('measure.mjs', import.meta.url));
const names = Object.keys(subjects);
const rows = Object.entries(subjects).map(([name, { about }]) => ({ name, about }));

/** @type {import('../lib/report.mjs').Benchmark} */
export const benchmark = {
  about: 'commands in memory with audit off, of events, of commands, of both',
  async run({ quick, progress }) {
    const plan = quick ? { rounds: 2, slices: 12, commands: 6_400 } : { rounds: 7, slices: 24, commands: 12_800 };
    const cpu = pinning()?.client;
    const measured = (/** @type {string} */ way) =>
      interleave(names, plan.rounds, (name) => measureSubject(name, way, plan, cpu), progress);
    const requests = await measured('request');
    const commands = await measured('command');
    return {
      tables: [
        table('From the text of a request to the text of its answer, without HTTP', rows, requests, [rate], ['off']),
        table('The dispatcher alone', rows, commands, [rate], ['off']),
      ],
      targets: ['events', 'commands', 'all'].map((name) =>
        atLeast(`${name}, requests/s × off`, speed(requests, name, 'off', rate), 0.6),
      ),
      notes: [
        `${plan.rounds} rounds, a new process for each subject in each; ${plan.slices} slices of ${plan.commands} commands with a new service each, the first third of them warm-up; the median of a process counts`,
        'one event for each command; the clock stops when the last audit record is in the system stream, and every record is counted',
        'a request is parsed, read, run through endpoint, hooks, dispatcher and unit of work, and its result written; 64 are in flight',
        'the dispatcher alone, at a few microseconds a command, shows the cost of audit more clearly: two more records to write and commit',
      ],
    };
  },
};

/**
 * @param {string} name
 * @param {string} way
 * @param {{ slices: number, commands: number }} plan
 * @param {number | undefined} cpu
 */
async function measureSubject(name, way, { slices, commands }, cpu) {
  const command = [process.execPath, measureScript, name, way, String(slices), String(commands)];
  const child = start(pinned(command, cpu), { ipc: true });
  try {
    const { rates } = await message(child, 'measured', 120_000);
    return { rate: median(rates) };
  } finally {
    await stop(child);
  }
}
