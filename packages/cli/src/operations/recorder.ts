import { recordedAction, systemEmitter, type OperatorAction } from '@svc/core/hosting';
import type { DatabaseCall } from '../database/subcommands.js';
import { requireCurrentSchema } from './current-schema.js';
import { requester } from './requester.js';

/** The option of commands that are recorded. */
export const operatorOption = { as: { type: 'string' } } as const;

/** Does something and records who did. Without a record it is not done. */
export type Recorder = <T>(action: Omit<OperatorAction, 'requestedBy'>, work: () => Promise<T>) => Promise<T>;

/** For commands that change the database themselves, or show what is private in it. */
export async function recorderOf({ database, options }: DatabaseCall): Promise<Recorder> {
  const requestedBy = requester(options.text('as'));
  // A record is written through the open storage, and opening it would bring an older schema up to date.
  await requireCurrentSchema(database);
  const emitter = systemEmitter(database.storage);
  return (action, work) => recordedAction(emitter, { ...action, requestedBy }, work);
}
