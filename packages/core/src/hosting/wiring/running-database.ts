import type { AccessControl } from '../../access/index.js';
import { ActivityRecorder, type ObservedDatabase } from '../../administration/index.js';
import type { BackgroundWorker } from '../../background/index.js';
import type { CommandObserver, LocalDispatcher, RunReaction } from '../../dispatch/index.js';
import type { NamedReaction } from '../../reactions/index.js';
import { deadLetterOperations, OperationWorker, perspectiveOperations } from '../../operations/index.js';
import { leasesOf, notificationsOf, type CommitRecord } from '../../storage/index.js';
import { outgoingSystemEvent, TagHooks } from '../../system-events/index.js';
import { systemStreamDelivery, systemStreamWorker, type DeadLetters } from '../../transport/index.js';
import { DatabaseMessages, type ReceivingParts } from './database-messages.js';
import type { DeclaredPerspective } from './declared-perspectives.js';
import { Erasure, erasureOperations } from './erasure.js';
import { personalPerspectives } from './personal-data.js';
import type { Foundation } from './foundation.js';
import { Housekeeping } from './housekeeping.js';
import { migrationEventsTo, noMigrationEvents } from './migration-events.js';
import { RunningPerspectives } from './running-perspectives.js';
import { RunningReactions } from './running-reactions.js';
import { ResumingStreams } from './resuming-streams.js';
import { RunningSeals } from './running-seals.js';
import { RunningSchedule } from './running-schedule.js';
import type { SchedulingParts } from './scheduling.js';
import { changesPermissions } from './service-access.js';
import { WakingCommits, type CommittedWork } from './waking-commits.js';
import { reportUnreadableTypes } from './unreadable-types.js';

export interface DatabaseSurroundings {
  readonly access: AccessControl;
  readonly perspectives: readonly DeclaredPerspective[];
  readonly reactions: readonly NamedReaction[];
  /** Runs reactions in this database. */
  readonly dispatcher: LocalDispatcher;
  readonly receiving: ReceivingParts;
  readonly scheduling: SchedulingParts;
  /** The dead letters of this database, for operators. */
  readonly deadLetters: DeadLetters;
  /** Runs work of the host in this database. */
  readonly runAsHost: <T>(action: () => T) => T;
}

/** What works with one database of a running service: outbox, perspectives, schedule, hooks, operations, housekeeping, migrations. */
export class RunningDatabase {
  readonly perspectives: RunningPerspectives;
  readonly erasure: Erasure;
  readonly reactions: RunningReactions;
  /** Null: the log is not sealed. */
  readonly seals: RunningSeals | null;
  /** Null without a transport. */
  readonly messages: DatabaseMessages | null;
  /** Null: the storage does not record hosts. */
  readonly activity: ActivityRecorder | null;
  readonly #foundation: Foundation;
  readonly #access: AccessControl;
  readonly #runAsHost: DatabaseSurroundings['runAsHost'];
  readonly #toSystemStream: BackgroundWorker;
  readonly #tagHooks: TagHooks;
  readonly #resuming: ResumingStreams;
  readonly #housekeeping: Housekeeping;
  /** Absent if the storage has no operations. */
  readonly #operations: OperationWorker | undefined;
  /** Absent if the storage stores no scheduled commands. */
  readonly #schedule: RunningSchedule | undefined;
  readonly #waking = new WakingCommits((work) => this.#runAsHost(() => this.#wakeFor(work)));
  #opening: Promise<void> | undefined;

  constructor(
    foundation: Foundation,
    {
      access,
      perspectives,
      reactions,
      dispatcher,
      receiving,
      scheduling,
      deadLetters,
      runAsHost,
    }: DatabaseSurroundings,
  ) {
    const { storage, log, messages, transport, registrations, emitter, reportOf } = foundation;
    this.#foundation = foundation;
    this.#access = access;
    this.#runAsHost = runAsHost;
    this.#tagHooks = new TagHooks(log, messages, registrations.tagHooks, reportOf('tag-hooks'));
    this.#toSystemStream = this.#systemStreamWorker();
    this.messages = transport === null ? null : new DatabaseMessages(transport, foundation, receiving);
    this.perspectives = this.#runningPerspectives(perspectives);
    const run: RunReaction = (reaction) => dispatcher.react(reaction);
    this.reactions = new RunningReactions(reactions, {
      log,
      storage,
      run: registrations.telemetry?.reactions?.(run) ?? run,
      emitter,
      runAsHost,
      report: reportOf('reactions'),
    });
    const { personal, registry } = foundation;
    const names = personalPerspectives(registry, messages);
    this.erasure = new Erasure({ personal, perspectives: this.perspectives, names, emitter });
    this.seals =
      registrations.seals === null ? null : new RunningSeals(registrations.seals, foundation, () => this.#wakeOutbox());
    this.#emitMigrations();
    if (storage.operations !== undefined) {
      const handlers = new Map([
        ...perspectiveOperations(this.perspectives),
        ...deadLetterOperations(deadLetters),
        ...erasureOperations(this.erasure),
      ]);
      this.#operations = new OperationWorker(storage.operations, handlers, emitter, reportOf('operations'));
    }
    if (storage.schedule !== undefined) {
      this.#schedule = new RunningSchedule(storage.schedule, foundation, scheduling, runAsHost);
    }
    this.#resuming = new ResumingStreams({
      perspectives: this.perspectives,
      log,
      leases: leasesOf(storage),
      report: reportOf('perspectives'),
    });
    this.#housekeeping = new Housekeeping(storage, registrations.receivedMs, reportOf('housekeeping'));
    const { clock } = foundation;
    const { hosts } = storage;
    const now = (): number => clock.now();
    const observe = (observer: CommandObserver): void => dispatcher.observe(observer);
    const recording = { observe, now, runAsHost, report: reportOf('activity') };
    this.activity = hosts === undefined ? null : new ActivityRecorder({ hosts, ...recording });
    log.onCommit((record) => this.#committed(record));
    notificationsOf(storage).onOutgoing(() => this.#wake());
  }

  /** Resolves when the storage is open and its migration events are emitted. */
  open(): Promise<void> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  /** Starts the work in the background. The storage must be open. */
  async begin(): Promise<void> {
    // Before messages are received. If the database does not respond now, the health check measures again.
    const { clock } = this.#foundation;
    if (clock.isOther) await clock.measure().catch(() => {});
    // The start does not wait for it.
    void reportUnreadableTypes(this.#foundation);
    this.#housekeeping.start();
    this.#resuming.start();
    this.#operations?.start();
    this.#schedule?.start();
    this.#runAsHost(() => this.seals?.start());
    await this.reactions.start();
    // Resumes the work of an earlier run of the service.
    this.#wake();
  }

  /** What operators see of it. */
  get observed(): ObservedDatabase {
    const { perspectives, reactions, seals } = this;
    const { storage, clock } = this.#foundation;
    return { storage, now: () => clock.now(), perspectives, reactions, seals };
  }

  get isBusy(): boolean {
    return this.#workers.some((worker) => worker.isBusy);
  }

  async idle(): Promise<void> {
    for (const worker of this.#workers) await worker.idle();
  }

  /** Resolves when all hooks have run. */
  hooksIdle(): Promise<void> {
    return this.#tagHooks.idle();
  }

  /** Stops migrations and housekeeping. Does not wait for a migration of another host. */
  async stopMigrations(): Promise<void> {
    this.#resuming.stop();
    this.#housekeeping.stop();
    const { migrations } = this.#foundation;
    if (migrations === null) return;
    // Emits the events of its own migrations, which needs the storage.
    await migrations.stop();
    await this.#opening?.catch(() => {});
  }

  /** Stops operations, scheduled commands, rebuilds and polling. */
  async stopOperations(): Promise<void> {
    this.#foundation.outages.stop();
    await Promise.all([this.#operations?.stop(), this.#schedule?.stop(), this.activity?.stop()]);
    await this.perspectives.stop();
    await this.reactions.stop();
    await this.seals?.stop();
  }

  /** Stops the workers, except the one that publishes messages, which the transport stops. */
  async stopWorkers(): Promise<void> {
    const { snapshots } = this.#foundation;
    await Promise.all([this.#toSystemStream.stop(), this.perspectives.worker?.stop(), snapshots?.worker.stop()]);
  }

  async close(): Promise<void> {
    await this.#tagHooks.idle();
    await this.#foundation.storage.close();
  }

  #systemStreamWorker(): BackgroundWorker {
    const { log, messages, options, transportFilter, reportOf } = this.#foundation;
    const { watchesSystemStream } = this.#tagHooks;
    const isWatched = (): boolean => watchesSystemStream || (transportFilter !== null && !options.localOnly);
    log.appendSystemEventsAtOnceIf(() => !isWatched());
    return systemStreamWorker(log, {
      isWatched,
      deliver: systemStreamDelivery(log, messages, transportFilter),
      appended: () => this.#appended(),
      report: reportOf('outbox.system'),
    });
  }

  #runningPerspectives(declared: readonly DeclaredPerspective[]): RunningPerspectives {
    const { log, storage, migrations, emitter, registrations, messages, options, reportOf } = this.#foundation;
    return new RunningPerspectives(declared, {
      log,
      storage,
      migrations,
      emitter,
      outgoingOf: options.perspectiveEventsEnabled ? (event) => outgoingSystemEvent(event, messages) : null,
      queued: () => this.#wakeOutbox(),
      runAsHost: this.#runAsHost,
      telemetry: registrations.telemetry,
      report: reportOf('perspectives'),
    });
  }

  #emitMigrations(): void {
    const { registrations, messages, migrations, transportFilter, reportOf } = this.#foundation;
    const queued = (): void => this.#runAsHost(() => this.#wakeOutbox());
    const target =
      registrations.systemEvents === null ? noMigrationEvents : migrationEventsTo(messages, transportFilter, queued);
    migrations?.emitTo(target, reportOf('migrations'));
  }

  #committed(record: CommitRecord): void {
    if (!this.#access.isOpen && changesPermissions(record)) this.#access.forgetCredentials();
    const hasHooks = this.#foundation.registrations.tagHooks.size > 0;
    if (hasHooks || record.schedules !== undefined) {
      // Hooks and workers must not run as the caller whose request woke them.
      this.#runAsHost(() => {
        if (record.schedules !== undefined) this.#schedule?.committed(record);
        if (hasHooks) this.#tagHooks.committed(record);
      });
    }
    this.#waking.committed(record);
  }

  #wakeFor({ systemEvents, messages, events }: CommittedWork): void {
    if (systemEvents) this.#toSystemStream.wake();
    if (messages) this.messages?.worker.wake();
    if (events) this.#appended();
  }

  /** Wakes the workers that process events. */
  #appended(): void {
    this.perspectives.committed();
    this.reactions.committed();
    this.seals?.committed();
  }

  async #open(): Promise<void> {
    const { storage, migrations } = this.#foundation;
    await storage.open();
    await migrations?.emitted();
  }

  /** Wakes all workers: other processes may have added work. */
  #wake(): void {
    this.#runAsHost(() => {
      for (const worker of this.#workers) worker.wake();
    });
  }

  #wakeOutbox(): void {
    this.#toSystemStream.wake();
    this.messages?.worker.wake();
  }

  get #workers(): readonly Pick<BackgroundWorker, 'wake' | 'isBusy' | 'idle'>[] {
    const { snapshots } = this.#foundation;
    const workers = [
      this.#toSystemStream,
      this.messages?.worker,
      this.perspectives.worker,
      this.reactions,
      this.#schedule,
      snapshots?.worker,
    ];
    return workers.filter((worker) => worker !== undefined);
  }
}
