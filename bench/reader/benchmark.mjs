/** The cost of reading a parsed order and of writing one: generated code compared with the fastest libraries. */
import { fileURLToPath } from 'node:url';
import { pinned, pinning } from '../lib/machine.mjs';
import { message, start, stop } from '../lib/processes.mjs';
import { atLeast, speed, table } from '../lib/report.mjs';

const readers = [
  { name: 'parse', about: '`JSON.parse` of the body, for scale' },
  { name: 'ajv', about: 'ajv standalone, `allErrors: false`: says yes or no' },
  { name: 'ajvAll', about: 'ajv standalone, `allErrors: true`: says yes, or everything wrong' },
  { name: 'reader', about: 'svc reader: a typed instance, or everything wrong' },
];
const writers = [
  { name: 'stringify', about: '`JSON.stringify`' },
  { name: 'fastJsonStringify', about: 'fast-json-stringify with the schema' },
  { name: 'writer', about: 'svc writer' },
];

const time = { name: 'time', label: 'ns/order', digits: 0 };
const measureScript = fileURLToPath(new URL('measure.mjs', import.meta.url));

/** @type {import('../lib/report.mjs').Benchmark} */
export const benchmark = {
  about: 'an order from parsed JSON and back: svc reader and writer, ajv, fast-json-stringify',
  async run({ quick, progress }) {
    const plan = quick ? { processes: 2, rounds: 15, sliceMs: 15 } : { processes: 5, rounds: 41, sliceMs: 25 };
    const cpu = pinning()?.client;
    /** @type {Map<string, { time: number }[]>} */
    const rounds = new Map();
    for (let run = 1; run <= plan.processes; run++) {
      progress(`process ${run} of ${plan.processes}`);
      for (const [subject, figures] of await measureInProcess(plan, cpu)) {
        rounds.set(subject, [...(rounds.get(subject) ?? []), ...figures]);
      }
    }
    return {
      tables: [
        table('Reading a parsed order', readers, rounds, [time], ['ajv', 'ajvAll']),
        table('Writing an order', writers, rounds, [time], ['fastJsonStringify', 'stringify']),
      ],
      targets: [atLeast('svc reader × ajv (allErrors: false)', speed(rounds, 'reader', 'ajv', time), 1.0)],
      notes: [
        `${plan.processes} processes, one after another, ${plan.rounds} interleaved rounds of all subjects in each, ${plan.sliceMs} ms of every subject in a round, warm-up before; medians over all rounds`,
        'orders are different from each other and freshly parsed for every round; all of them are valid',
        'the reader builds a typed instance around the parsed nested objects; ajv only validates and builds nothing',
        'all checks are the same (UUID, integer ≥ 1, decimal, no unknown property); the reader also refuses integers that JSON rounded',
      ],
    };
  },
};

/**
 * @param {{ rounds: number, sliceMs: number }} plan
 * @param {number | undefined} cpu
 * @returns {Promise<[string, { time: number }[]][]>}
 */
async function measureInProcess({ rounds, sliceMs }, cpu) {
  const child = start(pinned([process.execPath, measureScript, String(rounds), String(sliceMs)], cpu), { ipc: true });
  try {
    const { figures } = await message(child, 'measured', 120_000);
    return Object.entries(figures);
  } finally {
    await stop(child);
  }
}
