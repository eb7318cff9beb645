import { retryDelayMs } from '../background/index.js';
import { isRecurringKey } from '../dispatch/index.js';
import {
  DeadLetterCause,
  MessageSettledError,
  StorageUnavailableError,
  type EventLog,
  type ScheduleChanges,
  type ScheduledCommand,
  type ScheduleStorage,
} from '../storage/index.js';
import {
  isLastingFailure,
  mostReceiveAttempts,
  scheduledScope,
  type CommandInbox,
  type PlaceTenant,
  type ToDeadLetters,
} from '../transport/index.js';
import { nextTime } from './cron.js';
import type { Claim, DueCommandsParts } from './due-commands.js';
import { recurringRecord } from './recurring-commands.js';
import { recurrenceOfKey } from './recurring-key.js';
import { ScheduledCommandFailedError } from './scheduled-command-failed-error.js';

/** A recurring command is missed if it is still not claimed this long after its time. */
const missedMs = 60_000;

/** What `runningDueCommands` consists of. */
export interface DueCommandRunning {
  readonly schedule: ScheduleStorage;
  readonly log: EventLog;
  readonly inbox: CommandInbox;
  /** Whether the database is still that of a tenant. */
  readonly place: PlaceTenant;
  readonly toDeadLetters: ToDeadLetters;
  /** Whether a recurring command is skipped if it was missed. */
  readonly skipsMissed: (type: string) => boolean;
  /** The name of this host. */
  readonly self: string;
  readonly report: (error: unknown) => void;
}

/**
 * Runs due commands; each takes effect once, because its commit removes it. Failed ones are retried like commands from other hosts, and become dead
 * letters for the same reasons. A recurring command schedules its next run in the same commit.
 */
export function runningDueCommands(parts: DueCommandRunning): DueCommandsParts['run'] {
  const { schedule, log, inbox, place, toDeadLetters, skipsMissed, self, report } = parts;

  return async (due, claim) => {
    const { message, tenant, attempts } = due;
    const schedules = settling(due, claim);
    const isRecurring = isRecurringKey(due.key);
    const isMissed = isRecurring && attempts === 0 && claim.now - due.dueAt > missedMs;
    try {
      if (isMissed && skipsMissed(message.type)) {
        await log.commit({ events: [], outgoing: [], delivered: null, received: [], schedules });
        return null;
      }
      const misplaced = await place(tenant);
      if (misplaced !== null) return await giveUp(due, schedules, DeadLetterCause.UnknownTenant, misplaced);
      let command: object;
      try {
        command = await inbox.read(message);
      } catch (error) {
        return await giveUp(due, schedules, DeadLetterCause.Unreadable, error);
      }
      const scope = isRecurring ? null : scheduledScope(message.scope);
      await inbox.runScheduled(command, message, { settles: { schedules }, attempt: attempts + 1, scope });
      return null;
    } catch (error) {
      return await failed(due, schedules, claim, error);
    }
  };

  async function failed(
    due: ScheduledCommand,
    schedules: ScheduleChanges,
    { holder }: Claim,
    error: unknown,
  ): Promise<number | null> {
    const { id } = due.message;
    // It was settled, cancelled or replaced while it ran.
    if (error instanceof MessageSettledError && error.messageId === id) return null;
    if (error instanceof StorageUnavailableError) return schedule.leaseMs;
    if (isLastingFailure(error)) return await giveUp(due, schedules, DeadLetterCause.Refused, error);
    if (due.attempts + 1 >= mostReceiveAttempts) {
      return await giveUp(due, schedules, DeadLetterCause.AttemptsExhausted, error);
    }
    const delayMs = retryDelayMs(due.attempts);
    await schedule.retryLater(holder, id, delayMs);
    // The first attempt and the last one are logged.
    if (due.attempts === 0) report(new ScheduledCommandFailedError(due, delayMs, error));
    return delayMs;
  }

  async function giveUp(
    due: ScheduledCommand,
    schedules: ScheduleChanges,
    cause: DeadLetterCause,
    error: unknown,
  ): Promise<null> {
    const { message, key, attempts, firstFailedAt } = due;
    const scheduled = { ...message, destination: key ?? '', origin: self };
    const deadLettered = toDeadLetters([
      {
        direction: 'scheduled',
        message: scheduled,
        cause,
        error,
        attempts: attempts + 1,
        firstFailedAt: firstFailedAt ?? Date.now(),
      },
    ]);
    try {
      await log.commit({ events: [], delivered: null, received: [], schedules, ...deadLettered });
    } catch (failure) {
      // Another host was faster.
      if (failure instanceof MessageSettledError) return null;
      throw failure;
    }
    report(new ScheduledCommandFailedError(due, null, error));
    return null;
  }
}

/** The changes of the commit that settles a command. */
function settling({ message, key, dueAt }: ScheduledCommand, { now }: Claim): ScheduleChanges {
  const recurrence = recurrenceOfKey(key);
  // The later of both: if the clock of the database went back, the same time is not due twice.
  const next = recurrence === null ? null : nextTime(recurrence, Math.max(dueAt, now));
  if (next === null) return { settled: message.id, cancelled: [], added: [] };
  const added = [recurringRecord(message.type, key!, next)];
  return { settled: message.id, cancelled: [{ tenant: '', key: key! }], added };
}
