import type { SystemEvent } from '../messages/index.js';
import { CommandAudited, EventAudited } from './records/audit-events.js';
import { MessageDeadLettered, PerspectiveFailed, ReactionFailed, ReceptorFailed } from './records/error-events.js';
import {
  PerspectiveRebuildCompleted,
  PerspectiveRebuildFailed,
  PerspectiveRebuildProgress,
  PerspectiveRebuildStarted,
  PerspectiveRewindCompleted,
  PerspectiveRewindStarted,
  StreamRewindCompleted,
  StreamRewindStarted,
} from './records/perspective-events.js';
import type { SystemEventOptions } from './system-event-options.js';

type Flag = 'eventAuditEnabled' | 'commandAuditEnabled' | 'perspectiveEventsEnabled' | 'errorEventsEnabled';

/** The flag that enables a system event. Security events, migration events and those of the application are always enabled. */
const flags = new Map<unknown, Flag>([
  [EventAudited, 'eventAuditEnabled'],
  [CommandAudited, 'commandAuditEnabled'],
  [PerspectiveRebuildStarted, 'perspectiveEventsEnabled'],
  [PerspectiveRebuildProgress, 'perspectiveEventsEnabled'],
  [PerspectiveRebuildCompleted, 'perspectiveEventsEnabled'],
  [PerspectiveRebuildFailed, 'perspectiveEventsEnabled'],
  [PerspectiveRewindStarted, 'perspectiveEventsEnabled'],
  [PerspectiveRewindCompleted, 'perspectiveEventsEnabled'],
  [StreamRewindStarted, 'perspectiveEventsEnabled'],
  [StreamRewindCompleted, 'perspectiveEventsEnabled'],
  [ReceptorFailed, 'errorEventsEnabled'],
  [PerspectiveFailed, 'errorEventsEnabled'],
  [ReactionFailed, 'errorEventsEnabled'],
  [MessageDeadLettered, 'errorEventsEnabled'],
]);

/** Whether the options enable a system event. */
export function isEnabled(event: SystemEvent, options: SystemEventOptions): boolean {
  const flag = flags.get(event.constructor);
  return flag === undefined || options[flag];
}
