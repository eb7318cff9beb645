/** SQLite itself: Node's own where it has one, otherwise a package with the same API and its binaries inside. */
import { createRequire } from 'node:module';

export type SqlValue = string | number | null;
export type Row = Readonly<Record<string, SqlValue>>;

export interface Statement {
  /** Tells what has changed. Where much is kept and nobody asks, `get` does the same and makes no object of it each time. */
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
