import { existsSync, readdirSync } from 'node:fs';
import { UsageError } from '../failures.js';

export interface DatabaseAddress {
  /** Its name in `DATABASES`; null: it has none. */
  readonly name: string | null;
  /** A `postgres://` URL or a SQLite file. */
  readonly address: string;
}

/**
 * The databases that a command works with: the one given by `--database`, which can be a name in `DATABASES`; or all in `DATABASES`, the one in
 * `DATABASE_URL`, or the only database file in `.svc`. For commands of the owner, `DATABASE_OWNER_URL` comes before `DATABASE_URL`.
 */
export function databaseAddresses(given: string | undefined, asOwner = false): readonly DatabaseAddress[] {
  const named = namedDatabases(process.env['DATABASES'] ?? '');
  if (given !== undefined) return [givenDatabase(given, named)];
  const url = (asOwner ? process.env['DATABASE_OWNER_URL'] : undefined) ?? process.env['DATABASE_URL'] ?? '';
  if (named.length === 0) return [{ name: null, address: url === '' ? onlyDatabaseFile() : url }];
  if (url !== '') throw new UsageError('DATABASES and DATABASE_URL are both set. Set one of them, or pass --database.');
  return named;
}

function givenDatabase(given: string, named: readonly DatabaseAddress[]): DatabaseAddress {
  const known = named.find(({ name }) => name === given);
  // A mistyped name must not become the name of a new file.
  if (known === undefined && named.length > 0 && /^[a-z0-9-]+$/.test(given))
    throw new UsageError(`DATABASES has no database ${given}. It has ${named.map(({ name }) => name).join(', ')}.`);
  return known ?? { name: null, address: given };
}

/** `DATABASES` has a `name=address` for each database of a service, separated by white space. */
function namedDatabases(text: string): readonly DatabaseAddress[] {
  const entries = text.split(/\s+/).filter((entry) => entry !== '');
  const named = entries.map((entry, i) => {
    const [, name, address] = /^([a-z0-9-]+)=(.+)$/.exec(entry) ?? [];
    // The entry may contain a password.
    if (name === undefined || address === undefined)
      throw new UsageError(`Entry ${i + 1} of DATABASES must be <name>=<url or file>, for example eu=postgres://….`);
    if (secretNames.has(name) || /^\w+=/.test(address)) throw connectionString();
    return { name, address };
  });
  const twice = named.find(({ name }, i) => named.findIndex((other) => other.name === name) !== i);
  if (twice !== undefined) throw new UsageError(`DATABASES has the name ${twice.name} twice. Names are unique.`);
  return named;
}

/** Keywords of a connection string of libpq: split at white space, its password would become the name of a file, which errors repeat. */
const secretNames: ReadonlySet<string> = new Set(['password', 'passfile', 'dbname', 'sslmode', 'sslpassword']);

function connectionString(): UsageError {
  return new UsageError(
    'DATABASES contains a connection string. Use <name>=postgres://user:password@host:port/database, or <name>=<file>.',
  );
}

/** The only database file in `.svc`, the default folder of services. */
function onlyDatabaseFile(): string {
  const files = existsSync('.svc') ? readdirSync('.svc').filter((name) => name.endsWith('.db')) : [];
  if (files.length === 1) return `.svc/${files[0]}`;
  const unset = existsSync('.env')
    ? 'DATABASE_URL is set neither in the environment nor in .env'
    : 'DATABASE_URL is not set, there is no .env';
  const why =
    files.length === 0 ? `${unset}, and .svc contains no database file` : '.svc contains several database files';
  throw new UsageError(
    `No database given: ${why}. svc searched in ${process.cwd()}. Pass --database <url or file>, or run svc in the folder of the service.`,
  );
}
