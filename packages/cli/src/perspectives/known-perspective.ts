import type { ChosenDatabase } from '../database/choose-database.js';
import { Rejection, UsageError } from '../failures.js';
import { requireCurrentSchema } from '../operations/current-schema.js';

/** The name of the perspective, if the database has it. */
export async function knownPerspective(name: string | undefined, database: ChosenDatabase): Promise<string> {
  if (name === undefined) throw new UsageError('No perspective given. Run svc perspectives list to see their names.');
  await requireCurrentSchema(database);
  const { storage, where } = database;
  const known = (await storage.perspectives.readPerspectives()).map(({ perspective }) => perspective);
  if (known.includes(name)) return name;
  const others = known.length === 0 ? 'It has no perspectives.' : `It has ${known.join(', ')}.`;
  throw new Rejection(`${where} has no perspective ${name}. ${others}`);
}
