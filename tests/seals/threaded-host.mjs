/**
 * A host that appends events at once and seals them: `node threaded-host.mjs <storage> <where> <folder> <events> [end-thread]`. Prints what happened as JSON,
 * and stops when its input ends. With `end-thread`, the thread that digests events ends before it is used.
 */
import { writeSync } from 'node:fs';
import { around } from '@svc/core/hosting';
import { anchorOf, append, startSealingService } from './sealing-service.mjs';

const [, , kind, where, folder, events, ending] = process.argv;
const inner =
  kind === 'sqlite'
    ? (await import('@svc/sqlite')).sqlite({ file: where })
    : (await import('@svc/postgres')).postgres({ url: where });
let [threads, sealed, size] = [0, 0, 0];
const reports = [];
const seals = around(inner.seals, {
  async startThread() {
    const thread = await inner.seals.startThread();
    if (thread === null) return null;
    threads++;
    if (ending === 'end-thread') await thread.close();
    return thread;
  },
  async append(seal, outgoing) {
    const isStored = await inner.seals.append(seal, outgoing);
    if (isStored) [sealed, size] = [sealed + 1, seal.size];
    return isStored;
  },
});
const report = (error) => reports.push(error instanceof Error ? error.message : String(error));
const service = await startSealingService(around(inner, { seals }), folder, anchorOf(folder), report);
for (let left = Number(events); left > 0; left -= 2_000) {
  const before = size;
  await Promise.all(Array.from({ length: Math.min(left, 2_000) }, () => append(service)));
  // Each part has seals of its own.
  while (size < before + Math.min(left, 2_000)) await new Promise((resolve) => setTimeout(resolve, 5));
}
writeSync(1, `${JSON.stringify({ threads, sealed, reports })}\n`);
process.stdin.resume();
process.stdin.once('end', () => void service.stop());
