import type { Uuid } from '../../json/index.js';
import type { ScheduledCommand } from '../scheduled-record.js';

/** The commands that a host has claimed, and when to claim the next ones. */
export interface ClaimedCommands {
  /** The longest due first. */
  readonly commands: readonly ScheduledCommand[];
  /** The time of the database. */
  readonly now: number;
  /** In how many milliseconds the next command can be claimed; 0: perhaps now; null: none is scheduled. */
  readonly nextInMs: number | null;
}

/** How many commands are overdue, and for how long the first one is. */
export interface ScheduleStanding {
  readonly overdue: number;
  readonly lateMs: number;
}

/**
 * The capability `schedule`: the database stores commands to run later, and its clock decides when they are due. Commits add, cancel and settle
 * them (`CommitRecord.schedules`).
 *
 * Without it, receptors cannot schedule commands, nor send them to their own service without a transport.
 */
export interface ScheduleStorage {
  /** How long a host holds a command after it has claimed it or renewed its claim. Claims only avoid duplicate work. */
  readonly leaseMs: number;
  /** Calls `listener` when another host may have scheduled a command, or an operator has made one due. */
  onScheduled(listener: () => void): void;
  /** Claims due commands of some types for `holder`, at most `limit`. */
  claim(holder: Uuid, types: readonly string[], limit: number): Promise<ClaimedCommands>;
  /** Renews claims of `holder`. */
  renew(holder: Uuid, ids: readonly Uuid[]): Promise<void>;
  /** Counts a failed attempt, and ends the claim of `holder`: the command can be claimed again after a delay. */
  retryLater(holder: Uuid, id: Uuid, delayMs: number): Promise<void>;
  /** The scheduled commands in the order of their due times. With `after`, those that follow it; none if it no longer exists. */
  read(limit: number, after?: Uuid): Promise<readonly ScheduledCommand[]>;
  /** The commands of a tenant, '' for none, whose keys are at least `from` and below `to` in the order of UTF-8. */
  readKeys(tenant: string, from: string, to: string): Promise<readonly ScheduledCommand[]>;
  /** The types of the commands, in any order. */
  readTypes(): Promise<readonly string[]>;
  find(id: Uuid): Promise<ScheduledCommand | null>;
  /** Makes a command due now. False: it does not exist. */
  makeDue(id: Uuid): Promise<boolean>;
  /** Removes a command. False: it does not exist. */
  cancel(id: Uuid): Promise<boolean>;
  /** The commands that have been due for longer than `graceMs`, counted up to `most`. */
  readStanding(graceMs: number, most: number): Promise<ScheduleStanding>;
}
