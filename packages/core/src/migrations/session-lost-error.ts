import { StorageUnavailableError } from '../storage/index.js';

/** Another process has taken over the session, because its lock was not renewed in time. The call has changed nothing. */
export class SessionLostError extends StorageUnavailableError {
  constructor() {
    super('none', new Error('Another process has taken over the lock for migrations: it was not renewed in time.'));
  }
}
