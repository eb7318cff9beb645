import { PostgresStorage, type RolesPlan } from '@svc/postgres';
import { counted } from '../counted.js';
import { Rejection } from '../failures.js';
import type { DatabaseCall } from '../database/run-in-databases.js';
import { ExitCode } from '../terminal.js';

/** Prints the SQL that separates the roles, or executes it. */
export async function roles(call: DatabaseCall): Promise<ExitCode> {
  const { json, terminal } = call;
  const { storage, where } = call.database;
  if (!(storage instanceof PostgresStorage))
    throw new Rejection(`${where} has no roles: it is a file. Only PostgreSQL has roles.`);
  const wanted = {
    runtime: call.options.text('runtime'),
    owner: call.options.text('owner'),
    models: call.options.text('models'),
  };
  const plan = await storage.roles.plan(wanted);
  const isApplied = call.options.flag('apply');
  if (isApplied) await storage.roles.apply(plan);
  const { owner, runtime, models, moved } = plan;
  if (json)
    terminal.out(
      JSON.stringify({ database: where, owner, runtime, models, moved, isApplied, sql: sqlOf(plan) }, null, 2),
    );
  else if (!isApplied) terminal.out(sqlOf(plan));
  else
    terminal.out(
      `${where}: ${owner} owns the log, and ${runtime} runs the service and cannot change stored events.${movedText(plan)}`,
    );
  return ExitCode.ok;
}

function sqlOf({ steps }: RolesPlan): string {
  const parts = steps.map(({ about, sql }) => `-- ${about}\n${sql.map((statement) => `${statement};`).join('\n')}`);
  return ['BEGIN;', ...parts, 'COMMIT;'].join('\n\n');
}

function movedText({ moved, models }: RolesPlan): string {
  return moved.length === 0 ? '' : ` Moved ${counted(moved.length, 'table')} of perspectives to the schema ${models}.`;
}
