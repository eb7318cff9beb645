import type { ChosenDatabase } from '../database/choose-database.js';
import { Refusal, UsageError } from '../database/failures.js';
import { requireCurrentSchema } from '../operations/current-schema.js';

/** The perspective that is meant, if the database has it. */
export async function knownPerspective(name: string | undefined, database: ChosenDatabase): Promise<string> {
  if (name === undefined) throw new UsageError('Which perspective? svc perspectives list shows them.');
  await requireCurrentSchema(database);
  const { storage, where } = database;
  const known = (await storage.perspectives.readPerspectives()).map(({ perspective }) => perspective);
  if (known.includes(name)) return name;
  const others = known.length === 0 ? 'It has none.' : `It has ${known.join(', ')}.`;
  throw new Refusal(`There is no perspective ${name} in ${where}. ${others}`);
}
