import type { StoppedStream } from '../../storage/index.js';
import { PerspectiveFailed } from '../../system-events/index.js';
import type { StreamFailure } from './apply-events.js';
import type { Stops } from './model-events.js';

const longestMessage = 2_000;

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
  return { streamId, eventId: envelope.id, position, ...describeError(error), attempts: attempt };
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
    ...describeError(error),
    attempt,
    ...(scope !== null && { scope }),
    timestamp: new Date(),
  });
}

export function describeError(error: unknown): { errorName: string; errorMessage: string } {
  if (!(error instanceof Error)) {
    return { errorName: typeof error, errorMessage: 'Something that is not an error was thrown.' };
  }
  // Every database can store this form.
  const plain = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed();
  return { errorName: plain(error.name), errorMessage: plain(error.message.slice(0, longestMessage)) };
}
