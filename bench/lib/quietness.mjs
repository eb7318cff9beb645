/** How busy other programs are: the processor time they use distorts the figures, and not evenly. */
import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

const lookMs = 1_500;
const disturbingShare = 0.1;

/** The share of all processors, from 0 to 1, that is in use before a benchmark starts. */
export async function busyShare() {
  const before = times();
  await delay(lookMs);
  const after = times();
  return (after.busy - before.busy) / Math.max(1, after.all - before.all);
}

/**
 * The note about it in the report.
 *
 * @param {number} share
 */
export function quietness(share) {
  const percent = `${Math.round(share * 100)} %`;
  return share < disturbingShare
    ? `the machine was quiet before the run (${percent} busy)`
    : `DISTURBED: other programs kept the processors ${percent} busy before the run; do not quote these figures`;
}

function times() {
  let busy = 0;
  let all = 0;
  for (const { times: spent } of cpus()) {
    const total = spent.user + spent.nice + spent.sys + spent.irq + spent.idle;
    all += total;
    busy += total - spent.idle;
  }
  return { busy, all };
}
