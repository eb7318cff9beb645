import { ServiceError } from '../../errors/index.js';
import type { Uuid } from '../../json/index.js';
import type { SystemEventEmitter } from '../../system-events/index.js';
import { perspectiveFailed, type CountedFailure } from './failures.js';

/** A perspective has stopped at a stream, for the log: its cause is the error of the event, with its stack. */
export class PerspectiveFailedError extends ServiceError {
  readonly perspectiveName: string;
  readonly streamId: Uuid;
  readonly eventId: Uuid;
  readonly eventType: string;

  constructor(perspectiveName: string, { event, error }: CountedFailure) {
    const { streamId } = event;
    const { id, type } = event.envelope;
    super(
      'SVC_PERSPECTIVE_FAILED',
      `The perspective ${perspectiveName} has stopped at stream ${streamId}: it failed at event ${id} (${type}). Fix the code, then run "svc perspectives retry ${perspectiveName}", or rebuild again.`,
      { cause: error },
    );
    // Where svc noticed it says nothing: the log shows the stack of the cause.
    this.stack = `${this.name}: ${this.message}`;
    this.perspectiveName = perspectiveName;
    this.streamId = streamId;
    this.eventId = id;
    this.eventType = type;
  }
}

export interface FailureParts {
  readonly emitter: SystemEventEmitter;
  /** Receives failures for the log. Absent: only system events report them. */
  readonly failed?: (error: PerspectiveFailedError) => void;
}

/** Reports failures to the log, and emits them. Called after they are committed. */
export async function reportFailures(
  perspectiveName: string,
  failures: readonly CountedFailure[],
  { emitter, failed }: FailureParts,
): Promise<void> {
  for (const failure of failures) {
    failed?.(new PerspectiveFailedError(perspectiveName, failure));
    await emitter.emit(perspectiveFailed(perspectiveName, failure));
  }
}

/** How many failures of a rebuild are logged: all of its streams can fail for the same reason. */
const mostReported = 10;

/** Limits how many failures one rebuild reports. */
export function reportingFirst<T extends FailureParts>(parts: T): T {
  const { failed } = parts;
  if (failed === undefined) return parts;
  let reported = 0;
  return {
    ...parts,
    failed: (error: PerspectiveFailedError) => {
      if (reported++ < mostReported) failed(error);
    },
  };
}
