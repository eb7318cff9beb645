/** Appends orders for a while in a separate process, sealed or not: `node append.mjs <subject> <database>`, the plan by message. */
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { drive } from '../append/drive.mjs';
import { appendingService } from '../append/events.mjs';
import { Unsealed } from './unsealed.mjs';

process.on('disconnect', () => process.exit(1));

const [, , name = '', target = ''] = process.argv;

process.once('message', (/** @type {{ warmUpMs: number, measureMs: number }} */ plan) => void measure(plan));

/** @param {{ warmUpMs: number, measureMs: number }} plan */
async function measure({ warmUpMs, measureMs }) {
  const storage = name.includes('pg') ? postgres({ url: target }) : sqlite({ file: target });
  await storage.open();
  const unsealed = new Unsealed();
  const { append, finish } = await appendingService(storage, name, {
    sealed: ({ events }) => unsealed.sealed(events),
  });
  const subject = {
    concurrency: 256,
    append: () => append().then(() => unsealed.appended()),
    finish,
    counted: () => Promise.reject(new Error('Not used.')),
  };
  await drive(subject, warmUpMs);
  const stop = unsealed.watch();
  const cpu = process.cpuUsage();
  const measured = await drive(subject, measureMs);
  const { user, system } = process.cpuUsage(cpu);
  process.send?.({ kind: 'measured', ...measured, cpuUs: (user + system) / measured.count, ...stop() });
}
