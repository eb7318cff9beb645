import type { Uuid } from '@svc/core';
import { UsageError } from '../failures.js';

/** The id given as an argument. */
export function idOf(what: string, text: string): Uuid {
  const id = text.toLowerCase();
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id))
    throw new UsageError(`${what} must be a UUID, not "${text}".`);
  return id as Uuid;
}
