/** A host with the console, until it is killed: `node counting-host.mjs <URL of the database> <version>`. Prints its own URL. */
import { operatorConsole } from '@svc/console';
import { serve } from '@svc/http';
import { postgres } from '@svc/postgres';
import { countingService } from './counting-service.mjs';

const [, , url, version] = process.argv;
const service = countingService(postgres({ url, leaseMs: 1_000 })).start();
service.recordActivity({ version, everyMs: 1_000 });
const host = await serve(service, { port: 0, console: operatorConsole() });
process.stdout.write(`${host.url}\n`);
