import { describe, expect, it } from 'vitest';
import type { MessageClass } from '../messages/index.js';
import { isEnabled } from './category.js';
import { CommandAudited, EventAudited } from './records/audit-events.js';
import { MessageDeadLettered, PerspectiveFailed, ReactionFailed, ReceptorFailed } from './records/error-events.js';
import { MigrationBatchStarted } from './records/migration-events.js';
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
import { AccessDenied } from './records/security-events.js';
import { SystemEventOptions } from './system-event-options.js';

class CacheCleared {}

const none = new SystemEventOptions();
const all = new SystemEventOptions().enableAll();

describe.each<[string, SystemEventOptions, readonly MessageClass[]]>([
  ['the audit of events', new SystemEventOptions().enableEventAudit(), [EventAudited]],
  ['the audit of commands', new SystemEventOptions().enableCommandAudit(), [CommandAudited]],
  [
    'perspective events',
    new SystemEventOptions().enablePerspectiveEvents(),
    [
      PerspectiveRebuildStarted,
      PerspectiveRebuildProgress,
      PerspectiveRebuildCompleted,
      PerspectiveRebuildFailed,
      PerspectiveRewindStarted,
      PerspectiveRewindCompleted,
      StreamRewindStarted,
      StreamRewindCompleted,
    ],
  ],
  [
    'error events',
    new SystemEventOptions().enableErrorEvents(),
    [ReceptorFailed, PerspectiveFailed, ReactionFailed, MessageDeadLettered],
  ],
])('%s', (_category, options, types) => {
  it.each(types)('enable %s, which is disabled otherwise', (type) => {
    expect([none, options, all].map((one) => isEnabled(new type(), one))).toEqual([false, true, true]);
  });
});

it.each([AccessDenied, MigrationBatchStarted, CacheCleared])('%s is always enabled', (type) => {
  expect([none, all].map((options) => isEnabled(new type(), options))).toEqual([true, true]);
});
