import type { Queryable } from '../reader.js';

/** How a role could change or remove stored events, as text for operators; empty: it cannot. */
export async function waysToChangeHistory(
  database: Queryable,
  role: string,
  guards: readonly string[],
): Promise<readonly string[]> {
  const [version] = await database.rows(null, "SELECT current_setting('server_version_num')::int AS number");
  const rows = await database.rows(null, statementFor(Number(version!['number'])), [role, guards]);
  const ways = rows.map(({ way }) => way!);
  // A superuser has all of them.
  return ways.includes(superuser) ? [superuser] : ways;
}

const superuser = 'it is a superuser';

/** Up to version 15, a role that may create roles can set the password of every role that is no superuser. */
const statementFor = (version: number): string => `
  WITH role AS (SELECT * FROM pg_roles WHERE rolname = $1),
  log AS (SELECT pg_class.*, nspname, nspowner FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE pg_class.oid IN (to_regclass('svc_events'), to_regclass('svc_archives'), to_regclass('svc_outbox'), to_regclass('svc_seals')))
  SELECT '${superuser}' AS way FROM role WHERE rolsuper
UNION ALL SELECT 'it may create roles' FROM role WHERE rolcreaterole AND ${version} < 160000
UNION ALL SELECT 'it may replicate the server' FROM role WHERE rolreplication
UNION ALL SELECT 'it owns ' || relname FROM role, log WHERE pg_has_role(role.oid, relowner, 'MEMBER')
UNION ALL SELECT DISTINCT 'it owns the schema ' || nspname FROM role, log WHERE pg_has_role(role.oid, nspowner, 'MEMBER')
UNION ALL SELECT DISTINCT 'it may create objects in the schema ' || nspname FROM role, log
  WHERE has_schema_privilege(role.oid, relnamespace, 'CREATE')
UNION ALL SELECT 'it owns the database' FROM role, pg_database
  WHERE datname = current_database() AND pg_has_role(role.oid, datdba, 'MEMBER')
UNION ALL SELECT concat('it has ', privilege, ' on ', relname) FROM role, log,
    unnest(ARRAY['UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER']) AS privilege
  WHERE has_table_privilege(role.oid, log.oid, privilege) AND NOT (relname = 'svc_outbox' AND privilege = 'DELETE')
UNION ALL SELECT 'it has UPDATE on columns of ' || relname FROM role, log
  WHERE relname <> 'svc_outbox' AND has_any_column_privilege(role.oid, log.oid, 'UPDATE')
    AND NOT has_table_privilege(role.oid, log.oid, 'UPDATE')
UNION ALL SELECT 'it has UPDATE on svc_events_sequence' FROM role
  WHERE has_sequence_privilege(role.oid, to_regclass('svc_events_sequence'), 'UPDATE')
UNION ALL SELECT 'it is a member of ' || server FROM role, unnest(ARRAY['pg_execute_server_program', 'pg_write_server_files']) AS server
  WHERE pg_has_role(role.oid, server, 'MEMBER')
UNION ALL SELECT 'it may set session_replication_role' FROM role
  WHERE ${version >= 150_000 ? "has_parameter_privilege(role.oid, 'session_replication_role', 'SET')" : 'false'}
UNION ALL SELECT 'the trigger ' || guard || ' is missing or disabled' FROM unnest($2::text[]) AS guard
  WHERE NOT EXISTS (SELECT FROM pg_trigger JOIN log ON log.oid = tgrelid WHERE tgname = guard AND tgenabled IN ('O', 'A'))`;
