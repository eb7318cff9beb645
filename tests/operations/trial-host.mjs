/**
 * A host in a process of its own: `node trial-host.mjs <storage> <where> <broken or fixed>`. `hold` and `go` on its standard input close
 * and open the gate of what it fills; the end of it stops the host.
 */
import { createInterface } from 'node:readline';
import { gated, startTrial } from './trial-service.mjs';

const [, , kind, where, program] = process.argv;
const leaseMs = 500;
const inner =
  kind === 'sqlite'
    ? (await import('@svc/sqlite')).sqlite({ file: where, leaseMs, pollMs: 100 })
    : (await import('@svc/postgres')).postgres({ url: where, leaseMs });
const { gate, storage } = gated(inner);
const service = await startTrial(storage, { isFixed: program === 'fixed', report: console.error });
const input = createInterface({ input: process.stdin });
input.on('line', (line) => {
  gate[line]();
  process.stdout.write(`${line}\n`);
});
input.once('close', () => void service.stop());
process.stdout.write('started\n');
