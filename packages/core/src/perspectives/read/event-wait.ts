import type { Issue } from '../../errors/index.js';
import { isLowerCaseUuid, type Uuid } from '../../json/index.js';
import { waitBounds, type EventWait } from './processed-events.js';

/**
 * Reads which event a caller waits for, and how long; null: it does not wait. An invalid id is added to the issues; a time above the limit
 * becomes the limit.
 */
export function readEventWait(
  afterEvent: string | null,
  seconds: number | null,
  signal: () => AbortSignal,
  issues: Pick<Issue[], 'push'>,
): EventWait | null {
  if (afterEvent === null) return null;
  const eventId = afterEvent.toLowerCase();
  if (!isLowerCaseUuid(eventId)) {
    issues.push({ pointer: '/afterEvent', detail: 'must be the id of an event' });
    return null;
  }
  const timeoutMs = Math.min(Math.max(0, seconds ?? waitBounds.usualSeconds), waitBounds.mostSeconds) * 1_000;
  return { eventId: eventId as Uuid, timeoutMs, signal: signal() };
}
