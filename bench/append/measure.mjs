/** One round of one subject in a separate process: `node measure.mjs <subject> <database>`, the plan by message. */
import { drive } from './drive.mjs';
import { openPostgresSubject } from './postgres-subjects.mjs';
import { openSqliteSubject } from './sqlite-subjects.mjs';

process.on('disconnect', () => process.exit(1));

const [, , name = '', target = ''] = process.argv;
const subject = name.includes('sqlite')
  ? await openSqliteSubject(name, target)
  : await openPostgresSubject(name, target);

process.once('message', (/** @type {{ warmUpMs: number, measureMs: number }} */ plan) => void measure(plan));

/** @param {{ warmUpMs: number, measureMs: number }} plan */
async function measure(plan) {
  const warmUp = await drive(subject, plan.warmUpMs);
  const measured = await drive(subject, plan.measureMs);
  const { stored, expected } = await subject.counted(warmUp.count + measured.count);
  if (stored !== expected) throw new Error(`${name} stored ${stored} events of ${expected}.`);
  process.send?.({ kind: 'measured', ...measured });
}
