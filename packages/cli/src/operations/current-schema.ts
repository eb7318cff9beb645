import type { ChosenDatabase } from '../database/choose-database.js';
import { Refusal } from '../database/failures.js';

/** Opening a storage would bring its schema up to date, which is not for a command that looks at it, or asks for something. */
export async function requireCurrentSchema({ storage, where }: ChosenDatabase): Promise<void> {
  const pending = (await storage.migrations.plan()).filter(({ action }) => action !== 'skip');
  if (pending.length === 0) return;
  const keys = pending.map(({ item }) => item.key).join(', ');
  throw new Refusal(
    `The schema of ${where} is not that of this version of svc: ${keys}. Start the service of this version, or say svc migrate up.`,
  );
}
