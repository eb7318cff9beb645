import { readReactions, type ReactionState } from '@svc/core/hosting';
import type { ChosenDatabase } from '../database/choose-database.js';
import { Rejection, UsageError } from '../failures.js';
import { requireCurrentSchema } from '../operations/current-schema.js';

/** The reaction, if the database has it. */
export async function knownReaction(name: string | undefined, database: ChosenDatabase): Promise<ReactionState> {
  if (name === undefined) throw new UsageError('No reaction given. Run svc reactions list to see their names.');
  await requireCurrentSchema(database);
  const { storage, where } = database;
  const all = await readReactions(storage);
  const found = all.find((standing) => standing.name === name);
  if (found !== undefined) return found;
  const others = all.length === 0 ? 'It has no reactions.' : `It has ${all.map((one) => one.name).join(', ')}.`;
  throw new Rejection(`${where} has no reaction ${name}. ${others}`);
}
