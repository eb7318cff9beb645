/** How long `svc generate` takes on a large service, compared with the compiler's check of the same sources. */
import { fileURLToPath } from 'node:url';
import { atMost, table } from '../lib/report.mjs';
import { timeToEnd } from '../lib/processes.mjs';
import { figure, interleave } from '../lib/rounds.mjs';
import { emptyTrash } from './trash.mjs';
import { removeGenerated } from './generated-files.mjs';
import { typesPerCommand, writeService } from './synthetic-service.mjs';
import { timeChanges } from './watch.mjs';

const commandCount = 500;
const limitMs = 120_000;

const root = fileURLToPath(new URL('../..', import.meta.url));
const service = `${root}bench/.cache/generator/service`;
const sourceRoot = `${service}/src`;
const generate = [process.execPath, `${root}packages/cli/bin/svc.js`, 'generate', '--project', service];
/** @param {string} typescript */
const check = (typescript) => [process.execPath, `${root}${typescript}/bin/tsc`, '--noEmit', '--project', service];

/** @type {Readonly<Record<string, { about: string, command: readonly string[], before: () => void }>>} */
const processes = {
  cold: {
    about: '`svc generate`, nothing generated yet',
    command: generate,
    before: () => removeGenerated(sourceRoot),
  },
  unchanged: { about: '`svc generate`, everything up to date', command: generate, before: () => {} },
  typescript7: {
    about: '`tsc --noEmit`, TypeScript 7, sources without generated code',
    command: check('node_modules/typescript'),
    before: () => removeGenerated(sourceRoot),
  },
  typescript6: {
    about: '`tsc --noEmit`, TypeScript 6, sources without generated code',
    command: check('packages/generator/node_modules/typescript'),
    before: () => removeGenerated(sourceRoot),
  },
};

const time = { name: 'seconds', label: 'seconds', digits: 2 };

/** @type {import('../lib/report.mjs').Benchmark} */
export const benchmark = {
  about: `svc generate on ${commandCount} commands (${commandCount * typesPerCommand} types): from nothing, and after one change in watch mode`,
  async run({ quick, progress }) {
    const plan = quick ? { rounds: 1, changes: 3 } : { rounds: 5, changes: 7 };
    writeService(service, commandCount);
    const cold = await interleave(Object.keys(processes), plan.rounds, measure, progress);

    progress('generating, to watch');
    await timeToEnd(generate, limitMs);
    progress('checking that the generated code compiles');
    await timeToEnd(check('node_modules/typescript'), limitMs);
    const changes = await timeChanges([...generate, '--watch'], service, plan.changes, progress);
    emptyTrash();
    const watch = new Map([['watch', changes.map((milliseconds) => ({ seconds: milliseconds / 1000 }))]]);

    const subjects = Object.entries(processes).map(([name, { about }]) => ({ name, about }));
    const watching = [{ name: 'watch', about: '`svc generate --watch`, from saving a command to its files' }];
    return {
      tables: [
        table('A process, from its start to its end', subjects, cold, [time], ['typescript7', 'typescript6']),
        table('One change', watching, watch, [time], []),
      ],
      targets: [
        atMost('svc generate, cold, seconds', figure(cold, 'cold', 'seconds'), 3.5),
        atMost('svc generate --watch, one change, seconds', figure(watch, 'watch', 'seconds'), 0.5),
      ],
      notes: [
        `${commandCount} commands with a receptor and an endpoint each, ${commandCount * typesPerCommand} types: classes, interfaces, enums, tagged unions; rounds: ${plan.rounds}, changes: ${plan.changes}`,
        'files are in the disk cache; the generated code was compiled once to see that it is right',
      ],
    };
  },
};

/** @param {string} name */
async function measure(name) {
  const subject = processes[name];
  if (subject === undefined) throw new RangeError(name);
  subject.before();
  return { seconds: (await timeToEnd(subject.command, limitMs)) / 1000 };
}
