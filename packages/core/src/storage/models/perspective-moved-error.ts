import { ServiceError } from '../../errors/index.js';

/** A perspective has taken events that somebody else was just about to take. Nothing is left to do. */
export class PerspectiveMovedError extends ServiceError {
  constructor(perspective: string, expected: number, actual: number) {
    super('SVC_PERSPECTIVE_MOVED', `${perspective} stands at ${actual} by now, not at ${expected}.`);
  }
}
