import { recordedText } from '../errors/index.js';
import { MigrationFailureReason } from '../system-events/index.js';
import type { MigrationDatabase } from './migration-database.js';

export type MigrationPhase = 'ddl' | 'copy' | 'swap';

/** Why an item failed, derived from its phase and the error of the database. */
export function reasonOf(error: unknown, phase: MigrationPhase, database: MigrationDatabase): MigrationFailureReason {
  const { SqlError, Unknown, DataCopyFailed, SwapFailed } = MigrationFailureReason;
  if (phase === 'swap') return SwapFailed;
  const reason = database.classify(error);
  // The statements of a copy are not faulty themselves: the data, or the values that fill new columns, are.
  return phase === 'copy' && (reason === SqlError || reason === Unknown) ? DataCopyFailed : reason;
}

export function reasonName(reason: MigrationFailureReason): string {
  return Object.entries(MigrationFailureReason).find(([, value]) => value === reason)?.[0] ?? 'Unknown';
}

const longestText = 1_000;

/** The text of an error for operators and the record. */
export function errorText(error: unknown): string {
  return recordedText(
    error instanceof Error ? error.message : 'Something that is not an error was thrown.',
    longestText,
  );
}
