import { boundedText } from '../errors/index.js';
import { MigrationFailureReason } from '../system-events/index.js';
import type { MigrationDatabase } from './migration-database.js';

export type MigrationPhase = 'ddl' | 'copy' | 'swap';

/** Why an item failed, by what it was doing and what the database said. */
export function reasonOf(error: unknown, phase: MigrationPhase, database: MigrationDatabase): MigrationFailureReason {
  const { SqlError, Unknown, DataCopyFailed, SwapFailed } = MigrationFailureReason;
  if (phase === 'swap') return SwapFailed;
  const reason = database.classify(error);
  // Copying runs no statement that could be wrong by itself: what fails is the data, or what fills it in.
  return phase === 'copy' && (reason === SqlError || reason === Unknown) ? DataCopyFailed : reason;
}

export function reasonName(reason: MigrationFailureReason): string {
  return Object.entries(MigrationFailureReason).find(([, value]) => value === reason)?.[0] ?? 'Unknown';
}

/** What operators and the record are told. */
export function errorText(error: unknown): string {
  return boundedText(error instanceof Error ? error.message : 'Something that is not an error was thrown.');
}
