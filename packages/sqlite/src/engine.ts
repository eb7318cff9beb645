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
/** A value does not fit the type of its column. */
const mismatch = 20;
const constraintDatatype = 3091;

export function isBusy(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = errorCode(error);
  // The low byte is the kind of error; the rest tells more about it.
  return code === null ? /database is locked/.test(error.message) : (code & 0xff) === busy;
}

export function isTypeMismatch(error: unknown): boolean {
  const code = errorCode(error);
  if (code === mismatch || code === constraintDatatype) return true;
  return (
    error instanceof Error && /^(?:cannot store \w+ value in|datatype mismatch|malformed JSON)/.test(error.message)
  );
}

/** Whether SQLite itself says so. */
export function isSqliteError(error: unknown): boolean {
  return errorCode(error) !== null;
}

function errorCode(error: unknown): number | null {
  const { errcode } = (error instanceof Error ? error : {}) as { errcode?: unknown };
  return typeof errcode === 'number' ? errcode : null;
}
