/** The SQL that gives the runtime role its rights, and takes all others. It can be executed any number of times. */
import { createHash } from 'node:crypto';
import { identifier, literal } from './names.js';
import { definerFunctions, eventSequence, tableRights } from './rights.js';

export interface RoleNames {
  readonly schema: string;
  readonly owner: string;
  readonly runtime: string;
  readonly models: string;
}

/** The triggers that protect the log and pending audit records from every role but the owner. */
export const guards = {
  newEvents: 'svc_events_are_new',
  unchangedMessages: 'svc_outbox_is_not_changed',
  deliveredMessages: 'svc_outbox_is_delivered',
  infrastructureRecords: 'svc_schema_migrations_are_of_tables',
} as const;

/** The triggers of the log and the outbox. */
export const logGuards: readonly string[] = [
  'svc_events_are_append_only',
  'svc_events_are_only_archived',
  guards.newEvents,
  guards.unchangedMessages,
  guards.deliveredMessages,
];

export function rightsSql(names: RoleNames): readonly string[] {
  const [schema, runtime] = [identifier(names.schema), identifier(names.runtime)];
  const inSchema = (name: string): string => `${schema}.${name}`;
  const tables = Object.entries(tableRights).flatMap(([table, privileges]) => [
    `REVOKE ALL ON ${inSchema(table)} FROM PUBLIC, ${runtime}`,
    `GRANT ${privileges} ON ${inSchema(table)} TO ${runtime}`,
  ]);
  const functions = definerFunctions.flatMap((name) => [
    `REVOKE ALL ON FUNCTION ${inSchema(name)} FROM PUBLIC`,
    `GRANT EXECUTE ON FUNCTION ${inSchema(name)} TO ${runtime}`,
  ]);
  return [
    `REVOKE CREATE ON SCHEMA ${schema} FROM PUBLIC, ${runtime}`,
    `GRANT USAGE ON SCHEMA ${schema} TO ${runtime}`,
    ...tables,
    `REVOKE ALL ON SEQUENCE ${inSchema(eventSequence)} FROM PUBLIC, ${runtime}`,
    `GRANT USAGE ON SEQUENCE ${inSchema(eventSequence)} TO ${runtime}`,
    ...functions,
    ...guardsSql(names.owner, inSchema),
  ];
}

function guardsSql(owner: string, inSchema: (name: string) => string): readonly string[] {
  const isOther = `current_user <> ${literal(owner)}::name`;
  return [
    `CREATE OR REPLACE TRIGGER ${guards.newEvents} BEFORE INSERT ON ${inSchema('svc_events')} FOR EACH ROW
  EXECUTE FUNCTION ${inSchema('svc_require_new_event')}(${literal(owner)})`,
    `CREATE OR REPLACE TRIGGER ${guards.unchangedMessages} BEFORE UPDATE ON ${inSchema('svc_outbox')} FOR EACH STATEMENT
  EXECUTE FUNCTION ${inSchema('svc_refuse_change')}()`,
    `CREATE OR REPLACE TRIGGER ${guards.deliveredMessages} AFTER DELETE ON ${inSchema('svc_outbox')} FOR EACH ROW
  WHEN (OLD.lane = 'system' AND ${isOther})
  EXECUTE FUNCTION ${inSchema('svc_require_delivery')}()`,
    `CREATE OR REPLACE TRIGGER ${guards.infrastructureRecords} BEFORE INSERT OR UPDATE ON ${inSchema('svc_schema_migrations')} FOR EACH ROW
  WHEN (NEW.key LIKE 'infrastructure/%' AND ${isOther})
  EXECUTE FUNCTION ${inSchema('svc_refuse_other_role')}()`,
  ];
}

/** Identifies the rights, whatever the names of the roles. */
export const rightsHash: string = createHash('sha256')
  .update(rightsSql({ schema: 's', owner: 'o', runtime: 'r', models: 'm' }).join(';'))
  .digest('hex');
