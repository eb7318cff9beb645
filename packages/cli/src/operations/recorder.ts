import { recordedAction, systemEmitter, type OperatorAction } from '@svc/core/hosting';
import type { DatabaseCall } from '../database/run-in-databases.js';
import { requireCurrentSchema } from './current-schema.js';
import { requester } from './requester.js';

/** Records the action with its operator, then does the work. Without a record the work is not done. */
export type Recorder = <T>(action: Omit<OperatorAction, 'requestedBy'>, work: () => Promise<T>) => Promise<T>;

/** For commands that change the database themselves, or show private data. */
export async function recorderOf({ database, options }: DatabaseCall): Promise<Recorder> {
  const requestedBy = requester(options.text('as'));
  // Writing the record opens the storage, which would migrate an older schema.
  await requireCurrentSchema(database);
  const emitter = systemEmitter(database.storage);
  return (action, work) => recordedAction(emitter, { ...action, requestedBy }, work);
}
