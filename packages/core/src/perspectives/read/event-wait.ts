import type { Issue } from '../../errors/index.js';
import { isLowerCaseUuid, type Uuid } from '../../json/index.js';
import { waitBounds, type EventWait } from './taken-events.js';

/**
 * Until when a caller wants to wait, as they gave it: null when they do not. What is not the id of any event is noted among the
 * issues; more than the longest time is the longest time.
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
