import type { ChosenDatabase } from '../database/choose-database.js';
import { Rejection } from '../failures.js';

/** Rejects a database with another schema. Opening the storage would migrate it, which the calling commands must not do. */
export async function requireCurrentSchema({ storage, where }: ChosenDatabase): Promise<void> {
  const pending = (await storage.migrations.plan()).filter(({ action }) => action !== 'skip');
  if (pending.length === 0) return;
  const keys = pending.map(({ item }) => item.key).join(', ');
  throw new Rejection(
    `The schema of ${where} does not match this version of svc: ${keys}. Start the service with this version, or run svc migrate up.`,
  );
}
