import { PostgresStorage, type ServerReport } from '@svc/postgres';
import type { Call } from '../command-line/description.js';
import { chooseDatabase, type ChosenDatabase } from '../database/choose-database.js';
import { databaseAddresses, type DatabaseAddress } from '../database/database-addresses.js';
import { reportable } from '../database/reportable.js';
import { UsageError } from '../failures.js';
import { ok, problem, skipped, warning, type Finding } from './finding.js';

/** The oldest and the newest version of PostgreSQL that svc is tested with. */
const supported = { oldest: 14, newest: 18 } as const;

export async function checkDatabases(call: Call): Promise<readonly Finding[]> {
  const addresses = configured(call);
  const findings: Finding[] = [];
  for (const { name, address } of addresses) {
    findings.push(...(await checkDatabase(name === null ? 'database' : `database ${name}`, address, call)));
  }
  return addresses.length === 0
    ? [skipped('database', 'none is configured (DATABASE_URL, also in .env, or --database)')]
    : findings;
}

/** None is not a mistake, unlike a name that does not exist. */
function configured({ options }: Call): readonly DatabaseAddress[] {
  try {
    return databaseAddresses(options.text('database'));
  } catch (error) {
    if (error instanceof UsageError && error.message.startsWith('No database given')) return [];
    throw error;
  }
}

async function checkDatabase(check: string, address: string, { options }: Call): Promise<readonly Finding[]> {
  const fix = 'Check the address, that the server runs, and that the role may log in.';
  let redacted = (text: string): string => text;
  try {
    const database = await chooseDatabase(address, {
      creates: false,
      applicationName: 'svc doctor',
      allowPlaintext: options.flag('allow-plaintext'),
    });
    ({ redacted } = database);
    try {
      return [...(await serverOf(check, database)), await migrationsOf(check, database)];
    } finally {
      await database.storage.close();
    }
  } catch (error) {
    const known = reportable(error, redacted);
    return [problem(check, known instanceof Error ? redacted(known.message) : String(known), fix)];
  }
}

async function serverOf(check: string, { storage, where }: ChosenDatabase): Promise<readonly Finding[]> {
  if (!(storage instanceof PostgresStorage)) return [ok(check, where)];
  const report = await storage.roles.report();
  return [versionOf(check, where, report), rolesOf(`${check} roles`, report)];
}

export function versionOf(check: string, where: string, { version, major }: ServerReport): Finding {
  if (major < supported.oldest)
    return problem(check, `${where} is PostgreSQL ${version}.`, `Upgrade it to ${supported.oldest} or later.`);
  if (major > supported.newest)
    return warning(
      check,
      `${where} is PostgreSQL ${version}. svc is tested with ${supported.oldest} to ${supported.newest}.`,
      'Test your service with it, or use a version in that range.',
    );
  return ok(check, `${where}, version ${version}`);
}

export function rolesOf(check: string, { role, separate }: ServerReport): Finding {
  if (separate === null) return ok(check, `one role, ${role}; svc database roles can separate it from the owner`);
  if (role === separate.runtime) return ok(check, `${role} is the runtime role and cannot change stored events`);
  const fix = `Let the service log in as ${separate.runtime}; use DATABASE_OWNER_URL for the owner.`;
  if (role === separate.owner) return warning(check, `${role} is the owner of the log.`, fix);
  return problem(check, `${role} is neither the owner, ${separate.owner}, nor the runtime role.`, fix);
}

async function migrationsOf(check: string, { storage }: ChosenDatabase): Promise<Finding> {
  const name = `${check} migrations`;
  const planned = (await storage.migrations.plan()).filter(({ action }) => action !== 'skip');
  const blocked = planned.find(({ action }) => action === 'refuse');
  if (blocked !== undefined)
    return problem(name, `${blocked.item.key}: ${blocked.description}`, 'Run svc migrate status for details.');
  if (planned.length === 0) return ok(name, 'up to date');
  const keys = planned.map(({ item }) => item.key).join(', ');
  return warning(name, `${planned.length} pending: ${keys}`, 'Run svc migrate up, or start the service as the owner.');
}
