/** SQLite itself: Node's own where it has one, otherwise a package with the same API and its binaries inside. */
import { createRequire } from 'node:module';

export type SqlValue = string | number | null;
export type Row = Readonly<Record<string, SqlValue>>;

export interface Statement {
  run(...values: SqlValue[]): unknown;
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

/** What SQLite answers while another connection holds a lock. */
const busy = 5;

export function isBusy(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { errcode } = error as { errcode?: unknown };
  // The low byte is the kind of error; the rest tells more about it.
  return typeof errcode === 'number' ? (errcode & 0xff) === busy : /database is locked/.test(error.message);
}
