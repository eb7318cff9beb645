import type { PerspectiveEvent } from '../../model/index.js';
import type { AppliedEventFact, PerspectiveFact, ReactionFact } from '../facts.js';
import type { Messages } from './messages.js';
import { compareTexts } from './order.js';
import type { Reports } from './reports.js';

type EventCode = 'SVC1603' | 'SVC1902' | 'SVC2102';

/** The events that a perspective, a reaction or a process handles, sorted by name. Reports classes that are not events. */
export function processedEvents(
  fact: PerspectiveFact | ReactionFact,
  code: EventCode,
  messages: Messages,
  reports: Reports,
): readonly PerspectiveEvent[] {
  return fact.events
    .flatMap((event) => processedEvent(fact, event, code, messages, reports) ?? [])
    .toSorted((a, b) => compareTexts(a.name, b.name) || compareTexts(a.module ?? '', b.module ?? ''));
}

function processedEvent(
  { name, at }: PerspectiveFact | ReactionFact,
  event: AppliedEventFact,
  code: EventCode,
  { byId }: Messages,
  reports: Reports,
): PerspectiveEvent | null {
  const message = byId.get(event.id);
  // A class that cannot be a message is already reported.
  if (message !== undefined && message.kind !== 'command') return { name: message.name, module: message.module };
  if (event.coreName !== null) return { name: event.coreName, module: null };
  reports.report(at, code, name, event.name);
  return null;
}
