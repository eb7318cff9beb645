import { recordedByCode, recordedError } from '../../errors/index.js';
import type { StoppedStream } from '../../storage/index.js';
import { PerspectiveFailed } from '../../system-events/index.js';
import type { StreamFailure } from './apply-events.js';
import type { Stops } from './model-events.js';

/** A failure, and how often the perspective has failed at its event. */
export interface CountedFailure extends StreamFailure {
  readonly attempt: number;
}

/** Continues the count of a stream that fails at the same event as before; a failure at another event is its first. */
export function counted(failures: readonly StreamFailure[], earlier: Stops): CountedFailure[] {
  return failures.map((failure) => {
    const { streamId, envelope } = failure.event;
    const stop = earlier.get(streamId);
    return { ...failure, attempt: stop?.eventId === envelope.id ? stop.attempts + 1 : 1 };
  });
}

export function stoppedStream({ event, error, attempt }: CountedFailure): StoppedStream {
  const { streamId, position, envelope } = event;
  return { streamId, eventId: envelope.id, position, ...recordedByCode(error), attempts: attempt };
}

export function perspectiveFailed(
  perspectiveName: string,
  { event, error, attempt }: CountedFailure,
): PerspectiveFailed {
  const { id, type, scope } = event.envelope;
  return Object.assign(new PerspectiveFailed(), {
    messageId: id,
    messageType: type,
    perspectiveName,
    ...recordedError(error),
    attempt,
    ...(scope !== null && { scope }),
    timestamp: new Date(),
  });
}
