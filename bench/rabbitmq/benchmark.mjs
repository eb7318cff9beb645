/** Events over RabbitMQ: svc, from its outbox and into its inbox, compared with the bare clients. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createNode } from '../../tools/rabbitmq/node.mjs';
import { message, start, stop } from '../lib/processes.mjs';
import { atLeast, speed, table } from '../lib/report.mjs';
import { interleave } from '../lib/rounds.mjs';

const publishing = [
  { name: 'publish-amqplib', about: '`amqplib`, batches of 500, each confirmed' },
  { name: 'publish-rabbitmq-client', about: '`rabbitmq-client`, batches of 500, each confirmed' },
  { name: 'publish-svc', about: 'svc, from the outbox in SQLite until it is empty' },
];
const receiving = [
  { name: 'receive-amqplib', about: '`amqplib`, prefetch 1,000, one acknowledgement for 500' },
  { name: 'receive-rabbitmq-client', about: '`rabbitmq-client`, the same' },
  { name: 'receive-svc', about: 'svc, until all are committed to SQLite, each once' },
];

/** @type {import('../lib/report.mjs').Metric} */
const rate = { name: 'rate', label: 'messages/s', digits: 0, higherIsBetter: true };
const measureScript = fileURLToPath(new URL('measure.mjs', import.meta.url));

/** @type {import('../lib/report.mjs').Benchmark} */
export const benchmark = {
  about: 'events over RabbitMQ: outbox to confirmed publish, receive to committed inbox',
  async run({ quick, progress }) {
    const plan = quick ? { rounds: 3, messages: 5_000 } : { rounds: 7, messages: 30_000 };
    const node = await createNode();
    const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
    try {
      const names = [...publishing, ...receiving].map(({ name }) => name);
      const rounds = await interleave(
        names,
        plan.rounds,
        (name, round) => measure([name, node.url, join(folder, `${name}-${round}`), String(plan.messages)]),
        progress,
      );
      return {
        tables: [
          table('Publishing', publishing, rounds, [rate], ['publish-amqplib']),
          table('Receiving', receiving, rounds, [rate], ['receive-amqplib']),
        ],
        targets: [
          atLeast('svc, outbox to confirmed × amqplib', speed(rounds, 'publish-svc', 'publish-amqplib', rate), 0.5),
          atLeast('svc, receive to committed × amqplib', speed(rounds, 'receive-svc', 'receive-amqplib', rate), 0.4),
        ],
        notes: [
          'bodies of 1 KB with the attributes of a CloudEvent, persistent, through a topic exchange to a quorum queue; every subject sends and takes the same',
          `a private node, which shares the processors with the subject; a new queue and a new process each round, ${plan.rounds} rounds of ${plan.messages} messages after a warm-up of a fifth of that`,
        ],
      };
    } finally {
      await node.remove();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** @param {string[]} args */
async function measure(args) {
  const child = start([process.execPath, measureScript, ...args], { ipc: true });
  try {
    return await message(child, 'measured', 180_000);
  } finally {
    await stop(child);
  }
}
