/** What a failed statement means, by PostgreSQL's error codes. */
import type { UnavailableReason } from '@svc/core';
import pg from 'pg';

/** The connection is gone, or the server is going: whether the statement was carried out is not known. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  // What does not come from the server comes from the connection to it.
  if (!(error instanceof pg.DatabaseError)) return true;
  return code.startsWith('08') || ['57P01', '57P02', '57P03', '57P05'].includes(code);
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

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
