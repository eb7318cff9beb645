import {
  DueCommands,
  recurringCommandsOf,
  recurringDeclarationOf,
  RecurringWorker,
  runningDueCommands,
} from '../../schedule/index.js';
import type { CommitRecord, ScheduleStorage } from '../../storage/index.js';
import { deadLettering } from '../../transport/index.js';
import type { Foundation } from './foundation.js';
import type { SchedulingParts } from './scheduling.js';
import { reportTypesWithoutReceptor } from './types-without-receptor.js';

/** How long a host waits before it looks for commands after a change of another process. */
const othersChangedMs = 50;

/** The scheduled and recurring commands of one database of a running service. */
export class RunningSchedule {
  readonly #foundation: Foundation;
  readonly #runAsHost: <T>(action: () => T) => T;
  readonly #due: DueCommands;
  readonly #recurring: RecurringWorker;
  readonly #reportTypes: () => Promise<void>;

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
    const commands = recurringCommandsOf(messages, types);
    this.#recurring = new RecurringWorker({ schedule, log, storage, commands, now: () => clock.now() }, report);
    this.#reportTypes = () => reportTypesWithoutReceptor(schedule, types, report);
    schedule.onScheduled(() => this.#runAsHost(() => this.#due.wake()));
  }

  /** The storage must be open. */
  start(): void {
    this.#runAsHost(() => {
      this.#recurring.start();
      this.#due.wake();
      // Recurring commands that no host declares are removed first.
      void this.#recurring.idle().then(this.#reportTypes);
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
    return this.#recurring.isBusy || this.#due.isBusy;
  }

  async idle(): Promise<void> {
    await this.#recurring.idle();
    await this.#due.idle();
  }

  async stop(): Promise<void> {
    await Promise.all([this.#recurring.stop(), this.#due.stop()]);
  }
}
