import type { Uuid } from '../json/index.js';
import type { TenantBearer } from '../messages/index.js';
import type { MessageRecord } from './event-record.js';

/** When a command is due: at a time, in milliseconds since 1970, or some time after the commit, by the clock of the database. */
export type DueTime = { readonly at: number } | { readonly afterMs: number };

/** Identifies scheduled commands within a tenant, '' for none. */
export interface ScheduleKey {
  readonly tenant: string;
  readonly key: string;
}

/** A command to run later. Its id is that of its message. */
export interface ScheduledRecord {
  readonly message: MessageRecord;
  readonly due: DueTime;
  /** At most one scheduled command of a tenant has the key; null: it has none. */
  readonly key: string | null;
}

/** What a commit changes of the scheduled commands, in this order. */
export interface ScheduleChanges {
  /** The scheduled command that the commit settles; null: none. If it no longer exists, nothing is committed. */
  readonly settled: Uuid | null;
  /** The keys whose commands are removed, including those of `added`. */
  readonly cancelled: readonly ScheduleKey[];
  readonly added: readonly ScheduledRecord[];
}

/** A scheduled command in the database. Times are those of the database, in milliseconds since 1970. */
export interface ScheduledCommand {
  readonly message: MessageRecord;
  readonly tenant: string;
  readonly key: string | null;
  readonly dueAt: number;
  /** How often it has failed. */
  readonly attempts: number;
  /** Null: it has not failed yet. */
  readonly firstFailedAt: number | null;
  /** Whether a host runs it at the moment. */
  readonly isRunning: boolean;
}

/** The tenant of a scheduled command: that of the scope for which it runs, '' for none. */
export function tenantOfCommand({ scope }: Pick<TenantBearer, 'scope'>): string {
  return scope?.['tenantId'] ?? '';
}

/** The text that identifies a key among all tenants. */
export function scheduleKeyText({ tenant, key }: ScheduleKey): string {
  return JSON.stringify([tenant, key]);
}
