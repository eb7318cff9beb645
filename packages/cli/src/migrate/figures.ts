import { MigrationFailureReason, MigrationStatus, MigrationStrategy } from '@svc/core';
import { type MigrationRecord, type PlannedItem } from '@svc/core/storage';
import { counted } from '../counted.js';
import { table } from '../table.js';

/** A migration record in the JSON output. */
export interface ItemStatus {
  readonly key: string;
  readonly status: string;
  readonly statusCode: number | null;
  readonly strategy: string | null;
  readonly hash: string | null;
  readonly libraryVersion: string | null;
  readonly description: string;
  readonly failureReason: string | null;
  readonly error: string | null;
  readonly appliedAt: string | null;
  readonly updatedAt: string | null;
  readonly durationMs: number | null;
  readonly rowsCopied: number | null;
  readonly hasBackup: boolean;
}

export function statusOf(record: MigrationRecord): ItemStatus {
  const { key, status, strategy, hash, libraryVersion, description, failureReason, error, durationMs } = record;
  return {
    key,
    status: nameOf(MigrationStatus, status),
    statusCode: status,
    strategy,
    hash,
    libraryVersion,
    description,
    failureReason: failureReason === null ? null : nameOf(MigrationFailureReason, failureReason),
    error,
    appliedAt: timeOf(record.appliedAt),
    updatedAt: timeOf(record.updatedAt),
    durationMs,
    rowsCopied: record.progress?.rows ?? null,
    hasBackup: record.backup !== null,
  };
}

/** The status of an item that has never run. */
export function pendingStatus({ item, description }: PlannedItem): ItemStatus {
  return {
    key: item.key,
    status: 'Pending',
    statusCode: null,
    strategy: null,
    hash: null,
    libraryVersion: null,
    description,
    failureReason: null,
    error: null,
    appliedAt: null,
    updatedAt: null,
    durationMs: null,
    rowsCopied: null,
    hasBackup: false,
  };
}

/** A planned item, in the form that the checks before a deployment expect. */
export function pendingOf(planned: PlannedItem): { key: string; sql: string; strategy: string; description: string } {
  const { item, description } = planned;
  const strategy = planned.action === 'rewrite' ? planned.strategy : MigrationStrategy.DirectDdl;
  return { key: item.key, sql: planned.action === 'apply' ? planned.sql.join(';\n') : '', strategy, description };
}

export function statusTable(items: readonly ItemStatus[]): string {
  const rows = items.map(
    ({ key, status, strategy, libraryVersion, updatedAt, failureReason, error, description, rowsCopied }) => [
      key,
      status,
      strategy ?? '',
      libraryVersion ?? '',
      updatedAt ?? '',
      failureReason === null
        ? `${description}${rowsCopied === null ? '' : ` ${counted(rowsCopied, 'row')} so far.`}`
        : `${failureReason}: ${error}`,
    ],
  );
  return table([['item', 'status', 'strategy', 'library', 'since', 'detail'], ...rows]);
}

function nameOf(names: Readonly<Record<string, number>>, value: number): string {
  return Object.entries(names).find(([, known]) => known === value)?.[0] ?? String(value);
}

function timeOf(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}
