/** A service that migrates until it is killed: `node killed-starter.mjs <storage> <where> <items as JSON>`. */
import { createService } from '@svc/core';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';

const [, , kind, where, items] = process.argv;
const migrations = { batchSize: 2 };
const storage =
  kind === 'sqlite'
    ? sqlite({ file: where, migrations })
    : postgres({ url: where, migrations, connectTimeoutMs: 60_000 });
storage.migrations.add(...JSON.parse(items));
const service = createService({
  messages: [],
  receptors: [],
  endpoints: [],
  openapi: { paths: {}, components: { schemas: {} } },
})
  .useStorage(storage)
  .addSystemEvents();
process.stdout.write('starting\n');
service.start();
await service.ready();
await storage.migrations.idle();
await service.idle();
process.stdout.write('done\n');
await service.stop();
