import type { ReactionStanding } from '@svc/core/storage';
import type { ChosenDatabase } from '../database/choose-database.js';
import { Rejection, UsageError } from '../failures.js';
import { requireCurrentSchema } from '../operations/current-schema.js';

/** Events behind a reaction are counted up to this number. */
export const maxCounted = 10_000;

/** The reaction, if the database has it. */
export async function knownReaction(name: string | undefined, database: ChosenDatabase): Promise<ReactionStanding> {
  if (name === undefined) throw new UsageError('No reaction given. Run svc reactions list to see their names.');
  await requireCurrentSchema(database);
  const { storage, where } = database;
  const all = await storage.reactions.readStandings(maxCounted);
  const found = all.find((standing) => standing.name === name);
  if (found !== undefined) return found;
  const others = all.length === 0 ? 'It has no reactions.' : `It has ${all.map((one) => one.name).join(', ')}.`;
  throw new Rejection(`${where} has no reaction ${name}. ${others}`);
}
