import type { Uuid } from '@svc/core';
import { UsageError } from '../database/failures.js';
import { idOf } from '../database/ids.js';
import type { DatabaseCall } from '../database/subcommands.js';

/** The dead letter that is meant. */
export function whichLetter({ positionals: [id] }: DatabaseCall): Uuid {
  if (id === undefined) throw new UsageError('Which dead letter? svc dead-letters list shows them.');
  return idOf('A dead letter', id);
}
