import { ServiceError } from '@svc/core';
import { StorageUnavailableError, type DatabaseAccess, type MigrationRights } from '@svc/core/storage';
import type { Pool } from 'pg';
import type { Reader } from '../reader.js';
import { inTransaction } from '../transaction.js';
import type { DatabaseRoles } from './database-roles.js';
import { logGuards, rightsHash, rightsSql, type RoleNames } from './rights-sql.js';
import { perspectiveTablePattern, tableRights } from './rights.js';
import type { ServerReport } from './server-report.js';
import { separationSteps, type OwnedObject, type SeparationState, type SeparationStep } from './separation-sql.js';
import { waysToChangeHistory } from './ways-to-change-history.js';

/** The roles to separate. Absent: the owner of the log, the recorded runtime role, and a schema named after that of the log. */
export interface RolesWanted {
  readonly owner?: string | undefined;
  readonly runtime?: string | undefined;
  readonly models?: string | undefined;
}

/** What separates the roles of a database. */
export interface RolesPlan extends RoleNames {
  readonly steps: readonly SeparationStep[];
  /** The tables of perspectives that move. Hosts must not run then. */
  readonly moved: readonly string[];
}

const versionStatement = `SELECT split_part(current_setting('server_version'), ' ', 1) AS version,
  (current_setting('server_version_num')::int / 10000)::text AS major`;

/** An arbitrary unique number: the advisory lock under which roles are changed. */
const rolesLock = 7_322_671_511;

/** How long a statement waits for a lock. */
const lockTimeoutMs = 5_000;

/** Separates the owner of the log from the role that the service runs as. */
export class PostgresRoles {
  readonly #reader: Reader;
  readonly #pool: Pool;
  readonly #roles: DatabaseRoles;
  #access: DatabaseAccess | null = null;

  constructor(reader: Reader, pool: Pool, roles: DatabaseRoles) {
    this.#reader = reader;
    this.#pool = pool;
    this.#roles = roles;
  }

  /** What the role of this process may do to the log; null: it was not checked yet. */
  get access(): DatabaseAccess | null {
    return this.#access;
  }

  /** Finds out what the role of this process may do to the log. */
  async check(isRequired: boolean): Promise<void> {
    const { role, separate } = this.#roles.state!;
    const ways = await waysToChangeHistory(this.#reader, role, logGuards);
    this.#access = { roles: separate === null ? 'single' : 'separate', waysToChangeHistory: ways };
    if (!isRequired || ways.length === 0) return;
    throw new ServiceError(
      'SVC_DATABASE_ROLE',
      `The database role "${role}" can change stored events: ${ways.join(', ')}. Run svc database roles --apply, and use the URL of the runtime role; or leave out separateRoles.`,
    );
  }

  /** The server and the role of this process. Changes nothing. */
  async report(): Promise<ServerReport> {
    const [server] = await this.#reader.rows(null, versionStatement);
    const { role, separate } = await this.#roles.read();
    return {
      version: server!['version']!,
      major: Number(server!['major']),
      role,
      separate: separate === null ? null : { owner: separate.owner, runtime: separate.runtime },
    };
  }

  /** As the owner, grants the runtime role what this version of svc needs, after migrations. Returns the rights of this process. */
  async renew(): Promise<MigrationRights> {
    const { separate, rights, schema } = await this.#roles.read();
    if (separate === null || rights !== 'infrastructure') return rights;
    if (separate.rights === rightsHash && !(await this.#lacksRights(separate.runtime))) return rights;
    await this.#execute([...rightsSql({ ...separate, schema }), `UPDATE svc_roles SET rights = '${rightsHash}'`]);
    return rights;
  }

  /** What has to be done; executes nothing. */
  async plan(wanted: RolesWanted): Promise<RolesPlan> {
    const { schema, separate } = await this.#roles.read();
    const [log] = await this.#reader.rows(null, logStatement);
    if (log === undefined) throw rejected('the schema of svc does not exist. Run svc migrate up as the owner first');
    const owner = wanted.owner ?? log['owner']!;
    const runtime = wanted.runtime ?? separate?.runtime;
    if (runtime === undefined) throw rejected('the name of the runtime role is unknown. Pass --runtime <role>');
    if (runtime === owner) throw rejected(`"${owner}" cannot be both the owner and the runtime role`);
    const models = wanted.models ?? separate?.models ?? (schema === 'public' ? 'svc_models' : `${schema}_models`);
    if (models === schema) throw rejected(`perspectives need another schema than that of the log, "${schema}"`);
    const names = { schema, owner, runtime, models };
    const state = await this.#state(names, separate?.runtime ?? null);
    return { ...names, steps: separationSteps(names, state), moved: state.misplaced };
  }

  /** Executes a plan in one transaction. Throws if the runtime role can change history afterwards, by rights that svc did not give. */
  async apply({ steps, moved, runtime }: RolesPlan): Promise<void> {
    if (moved.length > 0) await this.#requireNoHosts();
    await this.#execute(steps.flatMap(({ sql }) => sql));
    const ways = await waysToChangeHistory(this.#reader, runtime, logGuards);
    if (ways.length > 0)
      throw rejected(
        `"${runtime}" has its rights now, but can still change stored events: ${ways.join(', ')}. Take these rights from it`,
      );
  }

  async #execute(statements: readonly string[]): Promise<void> {
    try {
      await inTransaction(
        this.#pool,
        async (client) => {
          // One at a time: two grants on the same object would fail.
          await client.query('SELECT pg_advisory_xact_lock($1)', [rolesLock]);
          for (const sql of statements) await client.query(sql);
        },
        [`lock_timeout = ${lockTimeoutMs}`],
      );
    } catch (error) {
      if (error instanceof StorageUnavailableError || !(error instanceof Error)) throw error;
      throw rejected(
        `${error.message}. Nothing was changed. Connect as a role that may do this, or let an administrator execute the SQL that svc database roles prints`,
        error,
      );
    }
  }

  /** Whether a table was created since the rights were granted. */
  async #lacksRights(runtime: string): Promise<boolean> {
    const [row] = await this.#reader.rows(null, lackingStatement, [Object.keys(tableRights), runtime]);
    return row!['lacks'] === 't';
  }

  /** Hosts that run would not find the tables that move. */
  async #requireNoHosts(): Promise<void> {
    const held = 'SELECT DISTINCT process FROM svc_leases WHERE expires_at > clock_timestamp()';
    const hosts = await this.#reader.rows(null, held);
    if (hosts.length > 0)
      throw rejected(
        `hosts are running (${hosts.map(({ process }) => process ?? 'unknown').join(', ')}), and would not find the tables of perspectives that move. Stop them first`,
      );
  }

  async #state(names: RoleNames, recorded: string | null): Promise<SeparationState> {
    const { schema, owner, runtime, models } = names;
    const [row] = await this.#reader.rows(null, stateStatement, [owner, runtime, models, schema]);
    if (row!['has_owner'] !== 't') throw rejected(`the role "${owner}" does not exist. Create it first`);
    const objects = await this.#reader.rows(null, objectsStatement, [schema, owner, Object.keys(tableRights), runtime]);
    const tables = await this.#reader.rows(null, tablesStatement, [schema, models, runtime, perspectiveTablePattern]);
    const namesIn = (place: string): string[] =>
      tables.filter((table) => table['place'] === place).map(({ name }) => name!);
    return {
      database: row!['database']!,
      isRuntimeCreated: row!['has_runtime'] === 't',
      isOwnerMember: row!['is_member'] === 't',
      isModelsCreated: row!['has_models'] === 't',
      foreign: objects as unknown as OwnedObject[],
      misplaced: namesIn('log'),
      disowned: namesIn('models'),
      previousRuntime: recorded !== null && recorded !== runtime && row!['has_runtime'] === 't' ? recorded : null,
    };
  }
}

function rejected(why: string, cause?: unknown): ServiceError {
  return new ServiceError('SVC_DATABASE_ROLE', `Cannot separate the roles of the database: ${why}.`, { cause });
}

const logStatement = `SELECT pg_get_userbyid(relowner) AS owner FROM pg_class WHERE oid = to_regclass('svc_roles')`;

const lackingStatement = `
  SELECT bool_or(NOT has_table_privilege($2, to_regclass(name), 'SELECT')) AS lacks FROM unnest($1::text[]) AS name`;

/** Since version 16, a role that has created another one may administer it, and not act as it. */
const stateStatement = `
  SELECT current_database() AS database, owner.oid IS NOT NULL AS has_owner, runtime.oid IS NOT NULL AS has_runtime,
    coalesce(CASE WHEN current_setting('server_version_num')::int >= 160000
      THEN pg_has_role(owner.oid, runtime.oid, 'SET') AND pg_has_role(owner.oid, runtime.oid, 'USAGE')
      ELSE pg_has_role(owner.oid, runtime.oid, 'MEMBER') END, false) AS is_member,
    EXISTS (SELECT FROM pg_namespace WHERE nspname = $3) AS has_models, $4::text AS schema
  FROM (VALUES (1)) AS one LEFT JOIN pg_roles owner ON owner.rolname = $1 LEFT JOIN pg_roles runtime ON runtime.rolname = $2`;

/** The schema and the database must not belong to the runtime role: their owner can drop everything in them. */
const objectsStatement = `
  SELECT CASE relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END AS kind, format('%I.%I', nspname, relname) AS name
  FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE nspname = $1 AND pg_get_userbyid(relowner) <> $2 AND relname = ANY($3::text[])
UNION ALL
  SELECT 'FUNCTION', format('%I.%I(%s)', nspname, proname, pg_get_function_identity_arguments(pg_proc.oid))
  FROM pg_proc JOIN pg_namespace ON pg_namespace.oid = pronamespace
  WHERE nspname = $1 AND pg_get_userbyid(proowner) <> $2 AND proname LIKE 'svc\\_%'
UNION ALL
  SELECT 'SCHEMA', format('%I', nspname) FROM pg_namespace WHERE nspname = $1 AND pg_get_userbyid(nspowner) = $4
UNION ALL
  SELECT 'DATABASE', format('%I', datname) FROM pg_database WHERE datname = current_database() AND pg_get_userbyid(datdba) = $4`;

const tablesStatement = `
  SELECT CASE nspname WHEN $1 THEN 'log' ELSE 'models' END AS place, relname AS name
  FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE relkind = 'r' AND relname ~ $4 AND (nspname = $1 OR (nspname = $2 AND pg_get_userbyid(relowner) <> $3))
  ORDER BY relname`;
