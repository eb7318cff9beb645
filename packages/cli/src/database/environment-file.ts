import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { UsageError } from '../failures.js';

/** The variables that give a command its database. */
const databaseVariables = ['DATABASE_URL', 'DATABASE_OWNER_URL', 'DATABASES'];

/**
 * Sets the variables in `.env` of a folder, as `svc dev` does for the service. Variables of the environment win. If `--database` or the environment
 * gives the database, the file is not read: the settings of a development database must not apply to another one.
 */
export function readEnvironmentFile(database: string | undefined, folder = '.'): void {
  if (databaseVariables.some((name) => (process.env[name] ?? '') !== '')) return;
  const variables = variablesIn(join(folder, '.env'));
  if (database !== undefined && !isNamed(database, variables['DATABASES'] ?? '')) return;
  for (const [name, value] of Object.entries(variables)) process.env[name] ??= value;
}

/** Whether `DATABASES` has a database of this name. */
function isNamed(name: string, databases: string): boolean {
  return databases.split(/\s/).some((entry) => entry.startsWith(`${name}=`));
}

function variablesIn(path: string): Readonly<Record<string, string>> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return {};
    throw new UsageError(`Cannot read ${path} (${code}). Make it readable, or pass --database <url or file>.`);
  }
  return parseEnv(text) as Record<string, string>;
}
