import type { FailureObserver, Invocation } from '../dispatch/index.js';
import { isRejection, recordedError } from '../errors/index.js';
import type { EnvelopeScope, MessageEnvelope } from '../messages/index.js';
import { withoutPermissions } from '../security/index.js';
import { ReceptorFailed } from './records/error-events.js';
import { RepeatedRecords } from './repeated-records.js';
import type { SystemEventEmitter } from './system-event-emitter.js';

/** Which failed commands are recorded, and where failures to record are reported. */
export interface FailedCommandOptions {
  /** Whether rejected commands are recorded as well. */
  readonly recordsRejections: boolean;
  /** Called when a record cannot be emitted. The caller gets the error of its command either way. */
  readonly report: (error: unknown) => void;
}

/**
 * Records failed commands in their own unit of work, because that of the command was dropped.
 * Repeated failures are counted, so that neither a caller nor a bug can fill the stream (decision 0081).
 */
export class FailedCommands {
  readonly #emitter: SystemEventEmitter;
  readonly #options: FailedCommandOptions;
  readonly #repeated: RepeatedRecords;

  constructor(emitter: SystemEventEmitter, options: FailedCommandOptions) {
    this.#emitter = emitter;
    this.#options = options;
    this.#repeated = new RepeatedRecords(options.report);
  }

  readonly observe: FailureObserver = async (failed, error) => {
    const isRejected = isRejection(error) || isAbandoned(failed, error);
    if (isRejected && !this.#options.recordsRejections) return;
    try {
      await (isRejected ? this.#recordRejection(failed, error) : this.#recordFailure(failed, error));
    } catch (problem) {
      this.#options.report(problem);
    }
  };

  /** Emits the counts that are not emitted yet. */
  close(): Promise<void> {
    return this.#repeated.close();
  }

  /** Each attempt of each command has its own record, until there are too many of one kind. */
  #recordFailure(failed: Invocation, error: unknown): Promise<void> {
    const fields = fieldsOf(failed, error);
    const emit = this.#emitting(failed.envelope, fields);
    return this.#repeated.record({
      group: JSON.stringify(['failed', callerOf(failed.envelope), fields.messageType, fields.errorName]),
      key: `${fields.messageId} ${fields.attempt}`,
      emit,
      emitOthers: emit,
    });
  }

  #recordRejection(failed: Invocation, error: unknown): Promise<void> {
    const fields = fieldsOf(failed, error);
    return this.#repeated.record({
      group: JSON.stringify(['rejected', callerOf(failed.envelope)]),
      key: JSON.stringify([fields.messageType, fields.errorName]),
      emit: this.#emitting(failed.envelope, fields),
      emitOthers: this.#emitting(failed.envelope, { ...fields, ...several }),
    });
  }

  #emitting(envelope: MessageEnvelope, fields: FailureFields): (count: number) => Promise<void> {
    // In memory for as long as the failure may repeat: without the command, which may be large.
    const cause = { ...envelope, payload: {} };
    return (count) => {
      const counted = count === 1 ? {} : { count };
      const event = Object.assign(new ReceptorFailed(), { ...fields, ...counted, timestamp: new Date() });
      return this.#emitter.emit(event, { cause });
    };
  }
}

type FailureFields = Omit<ReceptorFailed, 'id' | 'count' | 'timestamp'>;

const several = { messageType: 'several', receptorName: 'several', errorName: 'several', errorMessage: '' };

/** Identifies a caller, without its permissions, which can be long and change. */
function callerOf(envelope: MessageEnvelope): EnvelopeScope | null {
  return withoutPermissions(envelope.scope);
}

/** Whether the caller cancelled the request. */
function isAbandoned({ cancellation }: Invocation, error: unknown): boolean {
  return cancellation.aborted && error instanceof Error && error.name === 'AbortError';
}

function fieldsOf({ envelope, metadata, attempt }: Invocation, error: unknown): FailureFields {
  return {
    messageId: envelope.id,
    messageType: envelope.type,
    receptorName: String(metadata.get('ReceptorName')),
    ...recordedError(error),
    attempt,
    ...(envelope.scope !== null && { scope: envelope.scope }),
  };
}
