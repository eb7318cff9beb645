import { createHash } from 'node:crypto';
import { reservedKeyPrefix } from '../dispatch/index.js';
import { ServiceError } from '../errors/index.js';
import type { Uuid } from '../json/index.js';
import { hashedId } from '../messages/index.js';

const longestKey = 400;
const longestTimeoutName = 100;

/** The stream of an instance. Each tenant, '' for none, has its own instances. */
export function instanceStreamId(process: string, tenant: string, key: string): Uuid {
  return hashedId(createHash('sha256').update(`svc-process-1\n${JSON.stringify([process, tenant, key])}`));
}

/** Returns a key that `keyOf` returned. Throws if it is invalid. */
export function instanceKeyOf(process: string, key: unknown): string | null {
  if (key === null) return null;
  if (isStorable(key, longestKey)) return key;
  throw new ServiceError(
    'SVC_INVALID_PROCESS_KEY',
    `keyOf of the process ${process} returned an invalid key. Return a text of 1 to ${longestKey} characters without U+0000, or null for an event that belongs to no instance.`,
  );
}

/** The key of the scheduled command of a timeout. Application code cannot use it. */
export function timeoutKey(instance: Uuid, name: string): string {
  if (isStorable(name, longestTimeoutName)) return `${reservedKeyPrefix}timeout|${instance}|${name}`;
  throw new ServiceError(
    'SVC_INVALID_SCHEDULE',
    `Cannot set or cancel a timeout: its name must have 1 to ${longestTimeoutName} characters, without U+0000.`,
  );
}

/** Whether every database can store a text. PostgreSQL stores neither U+0000 nor half of a surrogate pair. */
function isStorable(text: unknown, longest: number): text is string {
  return (
    typeof text === 'string' && text !== '' && text.length <= longest && !text.includes('\0') && text.isWellFormed()
  );
}
