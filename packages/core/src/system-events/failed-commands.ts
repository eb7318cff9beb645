import type { FailureObserver, Invocation } from '../dispatch/index.js';
import { ReceptorFailed } from './records/error-events.js';
import type { SystemEventEmitter } from './system-event-emitter.js';

/** An error's text can hold whatever a caller sent; a record of it need not hold all of that. */
const longestMessage = 2_000;

/**
 * Records commands that failed: what was attempted, by whom, and how it went wrong. In a unit of work of its own, since the
 * command's was dropped. `report` is told when even that fails; the caller gets the command's own error either way.
 */
export function recordFailures(emitter: SystemEventEmitter, report: (error: unknown) => void): FailureObserver {
  return async (failed, error) => {
    try {
      await emitter.emit(receptorFailed(failed, error), { cause: failed.envelope });
    } catch (problem) {
      report(problem);
    }
  };
}

function receptorFailed({ envelope, metadata, attempt }: Invocation, error: unknown): ReceptorFailed {
  const [errorName, errorMessage] =
    error instanceof Error ? [error.name, error.message] : [typeof error, 'Something that is not an error was thrown.'];
  return Object.assign(new ReceptorFailed(), {
    messageId: envelope.id,
    messageType: envelope.type,
    receptorName: String(metadata.get('ReceptorName')),
    errorName,
    errorMessage: errorMessage.slice(0, longestMessage),
    attempt,
    ...(envelope.scope !== null && { scope: envelope.scope }),
    timestamp: new Date(),
  });
}
