import { ServiceError } from '../errors/index.js';
import type { Uuid } from '../json/index.js';

/** A record would append to a stream of another tenant. For the caller the stream does not exist. */
export class ForeignStreamError extends ServiceError {
  readonly streamId: Uuid;

  constructor(streamId: Uuid) {
    super('SVC_NOT_FOUND', `There is no stream ${streamId}.`);
    this.streamId = streamId;
  }
}
