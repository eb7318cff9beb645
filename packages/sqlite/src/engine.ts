/** The SQLite library: Node's own, or, if this version has none, a package with the same API (decision 0111). */
import { ServiceError } from '@svc/core';

export type SqlValue = string | number | null;
export type Row = Readonly<Record<string, SqlValue>>;

export interface Statement {
  /** Returns the number of changed rows. If it is not needed, `get` does the same without creating an object. */
  run(...values: SqlValue[]): { readonly changes: number | bigint };
  get(...values: SqlValue[]): Row | undefined;
  all(...values: SqlValue[]): Row[];
}

export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

interface Engine {
  readonly DatabaseSync: new (file: string) => Database;
}

export function openDatabase(file: string): Database {
  const { DatabaseSync } = loadEngine();
  return new DatabaseSync(file);
}

function loadEngine(): Engine {
  return (
    (withoutWarning(() => process.getBuiltinModule('node:sqlite')) as unknown as Engine | undefined) ?? loadPackage()
  );
}

/**
 * Loading `node:sqlite` prints a warning on some versions, because its API may still change. The contract of this package runs on every
 * version that svc supports, so operators need not read it.
 */
function withoutWarning<T>(load: () => T): T {
  const emitWarning = process.emitWarning.bind(process) as (...values: unknown[]) => void;
  const original = Object.getOwnPropertyDescriptor(process, 'emitWarning')!;
  process.emitWarning = (...values: unknown[]): void => {
    if (!String(values[0]).startsWith('SQLite is an experimental feature')) emitWarning(...values);
  };
  try {
    return load();
  } finally {
    Object.defineProperty(process, 'emitWarning', original);
  }
}

/** The package has native code, which stays outside of a bundle: it is resolved from the folder of the program. */
function loadPackage(): Engine {
  try {
    // Not imported: bundles usually declare a "createRequire" themselves, and two declarations are a syntax error.
    const { createRequire } = process.getBuiltinModule('node:module');
    return createRequire(import.meta.url)('@svc/sqlite-node20') as Engine;
  } catch (error) {
    throw new ServiceError(
      'SVC_STORAGE_MISCONFIGURED',
      `Cannot load SQLite: Node ${process.versions.node} does not include it, and "@svc/sqlite-node20" is not installed. Use Node 22.13 or later, or install the package where the program is.`,
      { cause: error },
    );
  }
}
