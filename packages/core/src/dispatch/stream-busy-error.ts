import { ServiceError } from '../errors/index.js';

/** Too many commands of this host wait for one stream. Retry later. */
export class StreamBusyError extends ServiceError {
  constructor(waiting: number) {
    super('SVC_STREAM_BUSY', `${waiting} commands already wait for this stream. Try again later.`);
  }
}
