/** A host on a SQLite file that only serves, until the end of its standard input: `node serving-host.mjs <file>`. */
import { sqlite } from '@svc/sqlite';
import { startTraceService } from './trace-service.mjs';

const [, , file] = process.argv;
const service = await startTraceService(sqlite({ file, leaseMs: 3_600_000, pollMs: 3_600_000 }));
await service.idle();
process.stdin.resume().once('end', () => void service.stop());
process.stdout.write('started\n');
