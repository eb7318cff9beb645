import { BackgroundWorker } from '../../background/index.js';
import {
  DueCommands,
  recurringCommandsOf,
  recurringDeclarationOf,
  runningDueCommands,
  storeRecurring,
  type RecurringCommands,
} from '../../schedule/index.js';
import type { CommitRecord, ScheduleStorage } from '../../storage/index.js';
import { deadLettering } from '../../transport/index.js';
import type { Foundation } from './foundation.js';
import type { SchedulingParts } from './scheduling.js';

/** How long a host waits before it looks for commands after a change of another process. */
const othersChangedMs = 50;

/** The scheduled and recurring commands of one database of a running service. */
export class RunningSchedule {
  readonly #foundation: Foundation;
  readonly #runAsHost: <T>(action: () => T) => T;
  readonly #due: DueCommands;
  readonly #recurring: RecurringCommands;
  readonly #storingRecurring: BackgroundWorker;

  constructor(
    schedule: ScheduleStorage,
    foundation: Foundation,
    { inbox, place, types }: SchedulingParts,
    runAsHost: <T>(action: () => T) => T,
  ) {
    const { log, messages, storage, clock, registrations, self, reportOf } = foundation;
    const report = reportOf('schedule');
    this.#foundation = foundation;
    this.#runAsHost = runAsHost;
    const run = runningDueCommands({
      schedule,
      log,
      inbox,
      place,
      toDeadLetters: deadLettering(messages, registrations.systemEvents),
      skipsMissed: (type) => recurringDeclarationOf(messages.ofType(type).class)?.missed === 'skip',
      self,
      report,
    });
    this.#due = new DueCommands({ schedule, types, run, report });
    this.#recurring = recurringCommandsOf(messages, types);
    const now = (): number => clock.now();
    this.#storingRecurring = new BackgroundWorker(
      () => storeRecurring({ schedule, log, storage, commands: this.#recurring, now }),
      report,
    );
    schedule.onScheduled(() => this.#runAsHost(() => this.#due.wake()));
  }

  /** The storage must be open. */
  start(): void {
    this.#runAsHost(() => {
      this.#storingRecurring.wake();
      this.#due.wake();
    });
  }

  /** Another process may have changed anything. Such notifications are frequent, and few of them are about schedules. */
  wake(): void {
    this.#runAsHost(() => this.#due.wakeIn(othersChangedMs));
  }

  /** This host has committed a record: waits for the commands that it schedules, without asking the database. */
  committed({ schedules }: CommitRecord): void {
    for (const { due } of schedules?.added ?? []) {
      const inMs = 'afterMs' in due ? due.afterMs : due.at - this.#foundation.clock.now();
      if (inMs <= 0) this.#due.wake();
      else this.#due.wakeIn(inMs);
    }
  }

  get isBusy(): boolean {
    return this.#storingRecurring.isBusy || this.#due.isBusy;
  }

  async idle(): Promise<void> {
    await this.#storingRecurring.idle();
    await this.#due.idle();
  }

  async stop(): Promise<void> {
    await Promise.all([this.#storingRecurring.stop(), this.#due.stop()]);
  }
}
