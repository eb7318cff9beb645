import { ServiceError } from '../../errors/index.js';

/** Another host has processed the events that this one was about to process. Nothing is left to do. */
export class PerspectiveMovedError extends ServiceError {
  constructor(perspective: string, expected: number, actual: number) {
    super(
      'SVC_PERSPECTIVE_MOVED',
      `${perspective} has processed events up to sequence ${actual}, not ${expected}. Read its progress again.`,
    );
  }
}
