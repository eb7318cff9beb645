/** What a failed statement means, by PostgreSQL's error codes. */
import { MigrationFailureReason } from '@svc/core';
import { type UnavailableReason } from '@svc/core/storage';
import pg from 'pg';

/** The connection is gone, or the server is going: whether the statement was carried out is not known. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  // What does not come from the server comes from the connection to it.
  if (!(error instanceof pg.DatabaseError)) return true;
  return code.startsWith('08') || ['57P01', '57P02', '57P03', '57P05'].includes(code);
}

/** It has not answered in time. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** The server is there and cannot take anything at the moment: no room, no connections, read only. Nothing was kept. */
export function isRefusingWork(error: unknown): boolean {
  const code = codeOf(error);
  return code.startsWith('53') || ['25006', '57014', '55P03', '58030'].includes(code);
}

/** Why it takes nothing. */
export function refusalReason(error: unknown): UnavailableReason {
  const code = codeOf(error);
  if (code === '53100') return 'full';
  return code === '25006' ? 'read-only' : 'unreachable';
}

/** The server has found that its data are damaged. */
export function isDamage(error: unknown): boolean {
  return ['XX001', 'XX002'].includes(codeOf(error));
}

/** Somebody else was faster, and the same statement sees that when it is run again. */
export function isRace(error: unknown): boolean {
  return ['23505', '40001', '40P01'].includes(codeOf(error));
}

/** Somebody else has appended to the same stream meanwhile. Whoever tries again gets a later position, sooner or later. */
export function isStreamRace(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.constraint === 'svc_events_position';
}

/** The same as `isConnectionLost`, where errors of other kinds are to be told apart from it. */
export function isConnectionFailure(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return isConnectionLost(error);
  if (!(error instanceof Error)) return false;
  return (
    /^(?:E[A-Z]+)$/.test(codeOf(error)) || /connection terminated|not queryable|timeout expired/i.test(error.message)
  );
}

export function isMissingTable(error: unknown): boolean {
  return codeOf(error) === '42P01';
}

/** A column has gone, or one has come that a statement makes up itself: the table is not the one that the statement was made for. */
export function isOfOtherColumns(error: unknown): boolean {
  return ['42703', '42702'].includes(codeOf(error));
}

/** A lock that somebody else has was in the way: waited for too long, or for each other. */
export function isLockTimeout(error: unknown): boolean {
  return ['55P03', '40P01'].includes(codeOf(error));
}

/** Values that do not fit a column's type: not a number, out of range, too long, not a time, another type altogether. */
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
