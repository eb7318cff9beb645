import { ServiceError } from '../errors/index.js';
import type { Uuid } from '../json/index.js';

/** The stream is not at the expected position, because another command was first. Read it again and retry; a stream that must be new exists for good. */
export class ConcurrencyConflictError extends ServiceError {
  readonly streamId: Uuid;
  readonly expectedPosition: number;
  readonly actualPosition: number;

  constructor(streamId: Uuid, expectedPosition: number, actualPosition: number) {
    super(
      'SVC_CONCURRENCY_CONFLICT',
      expectedPosition === -1
        ? `Stream ${streamId} already exists. Use another id, or read the stream before you append to it.`
        : `Stream ${streamId} is at position ${actualPosition}, not ${expectedPosition}. Read it again and retry.`,
    );
    this.streamId = streamId;
    this.expectedPosition = expectedPosition;
    this.actualPosition = actualPosition;
  }
}
