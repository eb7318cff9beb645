import type { StoppedStream } from '../storage/index.js';
import { PerspectiveFailed } from '../system-events/index.js';
import type { StreamFailure } from './apply-batch.js';

const longestMessage = 2_000;

export function stoppedStream({ event, error }: StreamFailure): StoppedStream {
  const { streamId, position, envelope } = event;
  return { streamId, eventId: envelope.id, position, ...describeError(error) };
}

export function perspectiveFailed(perspectiveName: string, { event, error }: StreamFailure): PerspectiveFailed {
  const { id, type, scope } = event.envelope;
  return Object.assign(new PerspectiveFailed(), {
    messageId: id,
    messageType: type,
    perspectiveName,
    ...describeError(error),
    attempt: 1,
    ...(scope !== null && { scope }),
    timestamp: new Date(),
  });
}

export function describeError(error: unknown): { errorName: string; errorMessage: string } {
  if (!(error instanceof Error)) {
    return { errorName: typeof error, errorMessage: 'Something that is not an error was thrown.' };
  }
  // As every database can keep it.
  const plain = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed();
  return { errorName: plain(error.name), errorMessage: plain(error.message.slice(0, longestMessage)) };
}
