import { ServiceError } from '../../errors/index.js';
import {
  eventsPerTurn,
  readLog,
  SealingWorker,
  type CheckedSealOptions,
  type SealsStanding,
} from '../../seals/index.js';
import { leasesOf } from '../../storage/index.js';
import { outgoingSystemEvent } from '../../system-events/index.js';
import type { Foundation } from './foundation.js';

/** The seals of one database of a running service. */
export class RunningSeals {
  readonly #worker: SealingWorker;

  /** `queued` is called when a `LogSealed` waits in the outbox. */
  constructor(options: CheckedSealOptions, foundation: Foundation, queued: () => void) {
    const { messages, registrations, reportOf } = foundation;
    // As it is stored: an erased value must not change what was sealed.
    const storage = foundation.personal?.raw ?? foundation.storage;
    const { seals } = storage;
    if (seals === undefined || registrations.systemEvents === null) {
      throw new ServiceError(
        'SVC_SEALS_UNSUPPORTED',
        seals === undefined
          ? 'The service has seals, but its storage does not support them. Use postgres, sqlite or InMemoryStorage.'
          : 'The service has seals, but no system events, and seals are reported as system events. Call addSystemEvents.',
      );
    }
    this.#worker = new SealingWorker(options, {
      seals,
      leases: leasesOf(storage),
      readLog: (afterSequence) => readLog(storage, afterSequence, eventsPerTurn),
      outgoingOf: (event) => outgoingSystemEvent(event, messages),
      queued,
      sealed: (batch) => registrations.telemetry?.sealed?.(batch),
      anchorFailed: (anchor) => registrations.telemetry?.anchorFailed?.(anchor),
      report: reportOf('seals'),
    });
  }

  /** The storage must be open. */
  start(): void {
    this.#worker.start();
  }

  /** Events were appended. */
  committed(): void {
    this.#worker.committed();
  }

  get standing(): SealsStanding {
    return this.#worker.standing;
  }

  async stop(): Promise<void> {
    await this.#worker.stop();
  }
}
