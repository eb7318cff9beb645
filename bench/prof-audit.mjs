import { openSqliteSubject } from '/tmp/wt-store/bench/append/sqlite-subjects.mjs';
import { openPostgresSubject } from '/tmp/wt-store/bench/append/postgres-subjects.mjs';
import { drive } from '/tmp/wt-store/bench/append/drive.mjs';
import { mkdtempSync } from 'node:fs';
const name = process.argv[2];
let s, c;
if (name.includes('sqlite')) s = await openSqliteSubject(name, mkdtempSync('/tmp/pa-') + '/d.db');
else {
  const { createCluster } = await import('/tmp/wt-store/tools/postgres/cluster.mjs');
  c = await createCluster();
  s = await openPostgresSubject(name, c.url);
}
await drive(s, 1000);
const cpu = process.cpuUsage();
const m = await drive(s, 3000);
const u = process.cpuUsage(cpu);
console.log(name, m.rate | 0, 'cpu µs/event', ((u.user + u.system) / m.count).toFixed(1));
await c?.remove();
process.exit();
