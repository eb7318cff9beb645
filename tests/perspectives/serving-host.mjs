/** A host that shares the work, until the end of its standard input: `node serving-host.mjs <file or URL> <leaseMs>`. */
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { startTraceService } from './trace-service.mjs';

const [, , database, lease] = process.argv;
const leaseMs = Number(lease);
const storage = database.startsWith('postgres:')
  ? postgres({ url: database, leaseMs })
  : sqlite({ file: database, leaseMs, pollMs: 3_600_000 });
const service = await startTraceService(storage);
await service.idle();
process.stdin.resume().once('end', () => void service.stop());
process.stdout.write('started\n');
