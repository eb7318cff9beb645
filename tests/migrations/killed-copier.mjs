/** Opens a database and rewrites a table in it until it is killed: `node killed-copier.mjs <storage> <where> <items as JSON>`. */
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';

const [, , kind, where, items] = process.argv;
const migrations = { batchSize: 2 };
const storage =
  kind === 'sqlite'
    ? sqlite({ file: where, migrations })
    : postgres({ url: where, migrations, connectTimeoutMs: 60_000 });
storage.migrations.add(...JSON.parse(items));
await storage.open();
process.stdout.write('open\n');
await storage.migrations.idle();
process.stdout.write('done\n');
await storage.close();
