import { expect, it } from 'vitest';
import { auditDestination } from './audit-destination.js';
import { AuditMode } from './audit-mode.js';
import { AuditLevel } from './records/audit-level.js';
import { MigrationFailureReason, MigrationStatus, MigrationStrategy } from './records/migration-events.js';
import { RebuildMode } from './records/perspective-events.js';
import { AccessDenialReason, PermissionChangeType } from './records/security-events.js';
import { auditTag, systemTags } from './system-tags.js';

it.each<[string, object, object]>([
  ['AuditMode', AuditMode, { OptOut: 'OptOut', OptIn: 'OptIn' }],
  ['AuditLevel', AuditLevel, { Info: 0, Warning: 1, Critical: 2 }],
  ['MigrationStatus', MigrationStatus, { Applied: 1, Updated: 2, Skipped: 3, MigratingInBackground: 4, Failed: -1 }],
  [
    'MigrationStrategy',
    MigrationStrategy,
    { DirectDdl: 'DirectDdl', ColumnCopy: 'ColumnCopy', EventReplay: 'EventReplay' },
  ],
  [
    'MigrationFailureReason',
    MigrationFailureReason,
    { Unknown: 0, SqlError: 1, Timeout: 2, ColumnTypeMismatch: 3, DataCopyFailed: 4, SwapFailed: 5 },
  ],
  ['RebuildMode', RebuildMode, { BlueGreen: 'BlueGreen', InPlace: 'InPlace', SelectedStreams: 'SelectedStreams' }],
  [
    'PermissionChangeType',
    PermissionChangeType,
    {
      RolesAdded: 'RolesAdded',
      RolesRemoved: 'RolesRemoved',
      PermissionsAdded: 'PermissionsAdded',
      PermissionsRemoved: 'PermissionsRemoved',
      FullReassignment: 'FullReassignment',
    },
  ],
  [
    'AccessDenialReason',
    AccessDenialReason,
    {
      InsufficientPermission: 'InsufficientPermission',
      InsufficientRole: 'InsufficientRole',
      ScopeViolation: 'ScopeViolation',
      PolicyRejected: 'PolicyRejected',
    },
  ],
])('%s has the values that stored records contain', (_name, actual, expected) => expect(actual).toEqual(expected));

it('publishes audit records to a topic that other services subscribe to, with a tag for hooks', () => {
  expect([auditDestination, auditTag, systemTags]).toEqual(['svc.core.auditevents', 'sys-audit', ['sys-audit']]);
});
