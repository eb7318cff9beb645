import { ServiceError } from '@svc/core';
import type { MigrationRights } from '@svc/core/storage';
import { isMissingTable } from '../failures.js';
import type { Queryable } from '../reader.js';
import { identifier } from './names.js';

/** The roles that `svc database roles` has separated. */
export interface SeparateRoles {
  readonly owner: string;
  readonly runtime: string;
  /** The schema of the tables of perspectives. */
  readonly models: string;
  /** The hash of what the runtime role was granted. */
  readonly rights: string;
}

/** The roles of a database, seen by the role of one connection. */
export interface RolesState {
  /** The role of the connection. */
  readonly role: string;
  /** The schema of the log. */
  readonly schema: string;
  /** Null: the database has a single role. */
  readonly separate: SeparateRoles | null;
  readonly rights: MigrationRights;
}

/** The roles of a database, as they were when the storage was opened. */
export class DatabaseRoles {
  readonly #database: Queryable;
  #state: RolesState | null = null;

  constructor(database: Queryable) {
    this.#database = database;
  }

  /** Null: they were not read yet. */
  get state(): RolesState | null {
    return this.#state;
  }

  async read(): Promise<RolesState> {
    const [row] = await this.#database.rows(null, roleStatement);
    const separate = await this.#separate();
    const state = { role: row!['role']!, schema: row!['schema'] ?? '', separate };
    if (separate?.runtime === state.role) requirePath(JSON.parse(row!['path']!) as readonly string[], separate);
    const isOwner = row!['is_owner'] === 't';
    const rights =
      separate === null ? (isOwner ? 'everything' : 'perspectives') : rightsOf(state.role, separate, isOwner);
    this.#state = { ...state, rights };
    return this.#state;
  }

  /** The settings of a transaction that creates tables of perspectives: their own schema comes first. */
  get tableSettings(): readonly string[] {
    const { separate, schema } = this.#state ?? { separate: null, schema: '' };
    if (separate === null) return [];
    return [`search_path = ${identifier(separate.models)}, ${identifier(schema)}`];
  }

  async #separate(): Promise<SeparateRoles | null> {
    try {
      const [row] = await this.#database.rows(null, 'SELECT owner, runtime, models, rights FROM svc_roles');
      return (row as SeparateRoles | undefined) ?? null;
    } catch (error) {
      if (isMissingTable(error)) return null;
      throw error;
    }
  }
}

/** The schema of the log must come first: then no table of the runtime role hides one of the log. A restored database has lost the setting. */
function requirePath(path: readonly string[], { runtime, models }: SeparateRoles): void {
  if (path.indexOf(models) > 0) return;
  throw new ServiceError(
    'SVC_DATABASE_ROLE',
    `Cannot use the database: the search_path of "${runtime}" must be the schema of the log, then "${models}", and is ${path.join(', ')}. Run svc database roles --apply as the owner.`,
  );
}

function rightsOf(role: string, { runtime }: SeparateRoles, isOwner: boolean): MigrationRights {
  return role !== runtime && isOwner ? 'infrastructure' : 'perspectives';
}

/** A role that does not own the log, or may not create it, cannot migrate it. */
const roleStatement = `
  SELECT current_user AS role, current_schema() AS schema, to_json(current_schemas(false)) AS path,
    CASE WHEN log.oid IS NULL THEN coalesce(has_schema_privilege(current_schema(), 'CREATE'), true)
      ELSE pg_has_role(log.relowner, 'USAGE') END AS is_owner
  FROM (VALUES (1)) AS one LEFT JOIN pg_class log ON log.oid = to_regclass('svc_events')`;
