/** The SQL that turns a database with one role into one with two. */
import { identifier, literal } from './names.js';
import { rightsHash, rightsSql, type RoleNames } from './rights-sql.js';

/** An object that must belong to another role. */
export interface OwnedObject {
  readonly kind: 'TABLE' | 'SEQUENCE' | 'FUNCTION' | 'SCHEMA' | 'DATABASE';
  /** As in SQL. */
  readonly name: string;
}

/** What the database has now. */
export interface SeparationState {
  readonly database: string;
  readonly isRuntimeCreated: boolean;
  /** Whether the owner may act as the runtime role. */
  readonly isOwnerMember: boolean;
  readonly isModelsCreated: boolean;
  /** Objects of the log that do not belong to the owner. */
  readonly foreign: readonly OwnedObject[];
  /** Tables of perspectives in the schema of the log. */
  readonly misplaced: readonly string[];
  /** Tables of perspectives in their own schema that do not belong to the runtime role. */
  readonly disowned: readonly string[];
  /** The runtime role so far, if it is another one. */
  readonly previousRuntime: string | null;
}

/** A step, with the reason for it. */
export interface SeparationStep {
  readonly about: string;
  readonly sql: readonly string[];
}

export function separationSteps(names: RoleNames, state: SeparationState): readonly SeparationStep[] {
  const steps: SeparationStep[] = [
    {
      about: 'The role that the service runs as. Set its password, or its other way to log in, yourself.',
      sql: roleSql(names, state),
    },
    { about: 'The owner has the log.', sql: ownerSql(names, state) },
    { about: 'The previous runtime role loses its rights.', sql: previousSql(names, state) },
    {
      about: 'Perspectives have a schema of their own, where the runtime role creates and drops tables.',
      sql: modelsSql(names, state),
    },
    { about: 'The runtime role reads everything, appends events and changes working state.', sql: rightsSql(names) },
    { about: 'Where the runtime role finds tables, and what svc has applied.', sql: recordSql(names, state) },
  ];
  return steps.filter(({ sql }) => sql.length > 0);
}

function roleSql({ owner, runtime }: RoleNames, { isRuntimeCreated, isOwnerMember }: SeparationState): string[] {
  const sql = isRuntimeCreated ? [] : [`CREATE ROLE ${identifier(runtime)} LOGIN`];
  return isOwnerMember ? sql : [...sql, `GRANT ${identifier(runtime)} TO ${identifier(owner)}`];
}

function ownerSql({ schema, owner }: RoleNames, { foreign }: SeparationState): string[] {
  if (foreign.length === 0) return [];
  const moved = foreign.map(({ kind, name }) => `ALTER ${kind} ${name} OWNER TO ${identifier(owner)}`);
  return [`GRANT USAGE, CREATE ON SCHEMA ${identifier(schema)} TO ${identifier(owner)}`, ...moved];
}

function previousSql({ schema }: RoleNames, { previousRuntime }: SeparationState): string[] {
  if (previousRuntime === null) return [];
  const [from, role] = [identifier(schema), identifier(previousRuntime)];
  return [
    `REVOKE ALL ON ALL TABLES IN SCHEMA ${from} FROM ${role}`,
    `REVOKE ALL ON ALL SEQUENCES IN SCHEMA ${from} FROM ${role}`,
    `REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ${from} FROM ${role}`,
    `REVOKE ALL ON SCHEMA ${from} FROM ${role}`,
  ];
}

function modelsSql(names: RoleNames, { isModelsCreated, misplaced, disowned }: SeparationState): string[] {
  const [schema, models, runtime] = [names.schema, names.models, names.runtime].map(identifier);
  return [
    isModelsCreated ? `ALTER SCHEMA ${models} OWNER TO ${runtime}` : `CREATE SCHEMA ${models} AUTHORIZATION ${runtime}`,
    ...misplaced.map((table) => `ALTER TABLE ${schema}.${identifier(table)} SET SCHEMA ${models}`),
    ...[...misplaced, ...disowned].map((table) => `ALTER TABLE ${models}.${identifier(table)} OWNER TO ${runtime}`),
  ];
}

function recordSql({ schema, owner, runtime, models }: RoleNames, { database }: SeparationState): string[] {
  return [
    `GRANT CONNECT ON DATABASE ${identifier(database)} TO ${identifier(runtime)}`,
    // A role may change its own settings, and the owner may act as the runtime role.
    `SET LOCAL ROLE ${identifier(runtime)}`,
    `ALTER ROLE ${identifier(runtime)} IN DATABASE ${identifier(database)} SET search_path = ${identifier(schema)}, ${identifier(models)}`,
    'RESET ROLE',
    `INSERT INTO ${identifier(schema)}.svc_roles (owner, runtime, models, rights)
  VALUES (${[owner, runtime, models, rightsHash].map(literal).join(', ')})
  ON CONFLICT (is_only) DO UPDATE SET owner = excluded.owner, runtime = excluded.runtime, models = excluded.models, rights = excluded.rights`,
  ];
}
