import { ServiceError } from '../errors/index.js';
import type { Uuid } from '../json/index.js';
import { runAs } from '../security/index.js';
import { OperationState, type OperationEnd, type OperationRecord, type OperationStorage } from '../storage/index.js';
import type { SystemEventEmitter } from '../system-events/index.js';
import { errorText } from './error-text.js';
import { OperationEvents } from './operation-events.js';
import type { OperationHandler } from './operation-handler.js';
import type { OperationProgress } from './operation-kind.js';

/** How often progress is written, if it has changed. */
export const progressMs = 250;
/** How often the lease is renewed and cancellation is checked; more often for short leases. */
export const longestRenewMs = 500;

/** After this many lost hosts an operation fails: it may be the cause. */
const mostAttempts = 5;

/** What an `OperationRun` needs from its host. */
export interface RunParts {
  readonly storage: OperationStorage;
  readonly holder: Uuid;
  readonly emitter: SystemEventEmitter;
  readonly report: (error: unknown) => void;
}

/** Runs one operation that this host has claimed. */
export class OperationRun {
  readonly #operation: OperationRecord;
  readonly #handler: OperationHandler;
  readonly #parts: RunParts;
  readonly #events: OperationEvents;
  readonly #renewMs: number;
  readonly #giveUp = new AbortController();
  #why: 'cancelled' | 'stopping' | 'taken over' | null = null;
  #progress: OperationProgress | null = null;
  #written: { at: number; progress: OperationProgress | null } = { at: performance.now(), progress: null };
  #writing = false;

  constructor(operation: OperationRecord, handler: OperationHandler, parts: RunParts) {
    this.#operation = operation;
    this.#handler = handler;
    this.#parts = parts;
    this.#events = new OperationEvents(parts.emitter, operation);
    this.#renewMs = Math.min(longestRenewMs, parts.storage.leaseMs / 4);
  }

  /** Stops it after its current step, and releases it for another host. */
  stop(): void {
    this.#abort(
      'stopping',
      'SVC_SERVICE_STOPPING',
      'The service stops. Another host, or this one after its next start, resumes the operation.',
    );
  }

  /** Resolves when this host is done with it. Failures of the database are reported: the operation is claimed again later. */
  async run(): Promise<void> {
    const { storage, holder, report } = this.#parts;
    const { id } = this.#operation;
    try {
      const end = this.#endedAlready() ?? (await this.#carryOut());
      if (end === null) return await storage.release(id, holder);
      await this.#events.ended(end);
      await storage.finish(id, holder, end);
    } catch (error) {
      report(error);
    }
  }

  /** The end of an operation that need not run: it was cancelled, or its hosts were lost too often. */
  #endedAlready(): OperationEnd | null {
    const { state, attempts } = this.#operation;
    if (state === OperationState.Cancelling) return cancelled;
    if (attempts <= mostAttempts) return null;
    return failed(`The host that ran it was lost ${mostAttempts} times. Check the log of the hosts before you retry.`);
  }

  /** Null: it has not ended, and must be released. */
  async #carryOut(): Promise<OperationEnd | null> {
    const ticking = setInterval(() => void this.#tick(), Math.min(progressMs, this.#renewMs));
    const { signal } = this.#giveUp;
    const progress = (latest: OperationProgress): void => void (this.#progress = latest);
    try {
      await this.#events.started(this.#operation.arguments, this.#operation.attempts);
      const result = await runAs(this.#events.operator, () => this.#handler.run(this.#operation, { signal, progress }));
      return { state: OperationState.Done, result, error: null };
    } catch (error) {
      if (this.#why === 'cancelled') return cancelled;
      if (this.#why !== null) return null;
      // The database was unavailable: the first host that reaches it resumes the operation.
      if (error instanceof ServiceError && error.code === 'SVC_STORAGE_UNAVAILABLE') throw error;
      return failed(errorText(error));
    } finally {
      clearInterval(ticking);
    }
  }

  async #tick(): Promise<void> {
    const { storage, holder, report } = this.#parts;
    const progress = this.#progress;
    const age = performance.now() - this.#written.at;
    if (this.#writing || (progress === this.#written.progress && age < this.#renewMs)) return;
    this.#writing = true;
    try {
      const state = await storage.renew(this.#operation.id, holder, progress ?? this.#operation.progress);
      this.#written = { at: performance.now(), progress };
      if (state === OperationState.Cancelling)
        this.#abort('cancelled', 'SVC_OPERATION_CANCELLED', 'An operator cancelled the operation.');
      if (state === null)
        this.#abort(
          'taken over',
          'SVC_OPERATION_TAKEN_OVER',
          'Another host has taken over the operation, or it has ended.',
        );
    } catch (error) {
      report(error);
    } finally {
      this.#writing = false;
    }
  }

  #abort(
    why: 'cancelled' | 'stopping' | 'taken over',
    code: 'SVC_OPERATION_CANCELLED' | 'SVC_OPERATION_TAKEN_OVER' | 'SVC_SERVICE_STOPPING',
    message: string,
  ): void {
    this.#why ??= why;
    this.#giveUp.abort(new ServiceError(code, message));
  }
}

const cancelled: OperationEnd = { state: OperationState.Cancelled, result: null, error: null };

function failed(error: string): OperationEnd {
  return { state: OperationState.Failed, result: null, error };
}
