/** The SQLite library: Node's own, or, if this version has none, a package with the same API and binaries. */
import { createRequire } from 'node:module';

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
  const builtIn: unknown = process.getBuiltinModule?.('node:sqlite');
  return (builtIn ?? createRequire(import.meta.url)('@photostructure/sqlite')) as Engine;
}
