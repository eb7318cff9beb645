import type { Uuid } from '@svc/core';
import { UsageError } from '../failures.js';
import { idOf } from '../database/ids.js';
import type { DatabaseCall } from '../database/run-in-databases.js';

/** The id of the dead letter given as an argument. */
export function deadLetterId({ positionals: [id] }: DatabaseCall): Uuid {
  if (id === undefined) throw new UsageError('No dead letter given. Run svc dead-letters list to see their ids.');
  return idOf('The id of a dead letter', id);
}
