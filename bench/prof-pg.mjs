import { openPostgresSubject } from './append/postgres-subjects.mjs';
import { drive } from './append/drive.mjs';
import { createCluster } from '../tools/postgres/cluster.mjs';
import pg from 'pg';
const c = await createCluster({ shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.track': 'all' });
try {
  const cl = new pg.Client(c.url);
  await cl.connect();
  await cl.query('create extension pg_stat_statements');
  const s = await openPostgresSubject('svc-pg-audit-256', c.url);
  const m = await drive(s, 3000);
  console.log(m.rate | 0, m.count);
  const { rows } = await cl.query(
    `select left(regexp_replace(query, '\\s+', ' ', 'g'), 60) q, calls, round(total_exec_time) ms, round(mean_exec_time::numeric, 2) mean, rows, shared_blks_hit hit, wal_bytes from pg_stat_statements order by total_exec_time desc limit 8`,
  );
  console.table(rows);
  await cl.end();
} finally {
  await c.remove();
  process.exit();
}
