/** What a failed statement means, by PostgreSQL's error codes. */
import { MigrationFailureReason } from '@svc/core';
import { type UnavailableReason } from '@svc/core/storage';
import pg from 'pg';
import { UnsuitableHostError } from './unsuitable-host-error.js';

/** The connection is lost, or the server shuts down. It is unknown whether the statement was executed. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  // An error that is not the server's is an error of the connection.
  if (!(error instanceof pg.DatabaseError)) return true;
  return code.startsWith('08') || ['25P03', '57P01', '57P02', '57P03', '57P05'].includes(code);
}

/** A pooler accepts no planner settings when a connection is opened; PostgreSQL does. */
export function isPoolerRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.message.startsWith('unsupported startup parameter');
}

/** The server did not answer in time. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** The server is reachable but cannot execute the statement now: disk full, no connections, read-only. Nothing was committed. */
export function isRefusingWork(error: unknown): boolean {
  const code = codeOf(error);
  return code.startsWith('53') || ['25006', '57014', '55P03', '58030'].includes(code);
}

/** The connection is of no more use: it is lost, or its server has become a standby. */
export function isToDiscard(error: unknown): boolean {
  return isConnectionLost(error) || codeOf(error) === '25006';
}

/** Why the server cannot execute statements. */
export function refusalReason(error: unknown): UnavailableReason {
  const code = codeOf(error);
  if (code === '53100') return 'full';
  return code === '25006' ? 'read-only' : 'unreachable';
}

/** The server reports damaged data. */
export function isDamage(error: unknown): boolean {
  return ['XX001', 'XX002'].includes(codeOf(error));
}

/** A concurrent transaction was faster. The same statement sees its result when it is retried. */
export function isRace(error: unknown): boolean {
  return ['23505', '40001', '40P01'].includes(codeOf(error));
}

/** A replica canceled a query because it had to apply a change of the primary, such as a dropped table. */
export function isRecoveryConflict(error: unknown): boolean {
  return codeOf(error) === '40001';
}

/** A concurrent transaction has appended to the same stream. A retry gets a later position eventually. */
export function isStreamRace(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.constraint === 'svc_events_position';
}

/** A reaction has already processed an event of the commit. */
export function isReacted(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.constraint === 'svc_reacted_rows_pkey';
}

/** Like `isConnectionLost`, for errors that may not come from the database at all. */
export function isConnectionFailure(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return isConnectionLost(error);
  if (!(error instanceof Error)) return false;
  return (
    error instanceof UnsuitableHostError ||
    /^(?:E[A-Z]+)$/.test(codeOf(error)) ||
    /connection terminated|not queryable|timeout expired/i.test(error.message)
  );
}

export function isMissingTable(error: unknown): boolean {
  return codeOf(error) === '42P01';
}

/** The role has no right to do this. */
export function isForbidden(error: unknown): boolean {
  return codeOf(error) === '42501';
}

/** A column was removed, or added under a name that the statement defines itself: the statement is for an earlier table. */
export function isOfOtherColumns(error: unknown): boolean {
  return ['42703', '42702'].includes(codeOf(error));
}

/** Waiting for a lock took too long, or was a deadlock. */
export function isLockTimeout(error: unknown): boolean {
  return ['55P03', '40P01'].includes(codeOf(error));
}

/** Values that do not fit a column's type: not a number, out of range, too long, not a time, or of another type. */
const typeMismatches = new Set(['22P02', '22003', '22001', '22007', '22008', '22023', '42804', '42846']);

export function migrationFailureOf(error: unknown): MigrationFailureReason {
  const code = codeOf(error);
  if (isLockTimeout(error) || code === '57014') return MigrationFailureReason.Timeout;
  if (typeMismatches.has(code)) return MigrationFailureReason.ColumnTypeMismatch;
  return error instanceof pg.DatabaseError ? MigrationFailureReason.SqlError : MigrationFailureReason.Unknown;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
