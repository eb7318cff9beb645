/** The values that the specification fixes, one by one: databases, brokers and other hosts have them. */
import {
  AuditLevel,
  AuditMode,
  MigrationFailureReason,
  MigrationStatus,
  MigrationStrategy,
  PermissionChangeType,
  ScopeFilters,
  SystemEventStream,
} from '@svc/core';
import { auditDestination } from '@svc/core/storage';
import { expect, it } from 'vitest';

it.each<readonly [string, unknown, unknown]>([
  ['SystemEventStream.Name is $svc-system', SystemEventStream.name, '$svc-system'],
  ['SystemEventStream.Prefix is $svc-', SystemEventStream.prefix, '$svc-'],
  [
    'SystemEventStream.StreamId is 00000000-0000-0000-0000-000000000001',
    SystemEventStream.streamId,
    '00000000-0000-0000-0000-000000000001',
  ],
  ['the audit topic is svc.core.auditevents', auditDestination, 'svc.core.auditevents'],
  ['ScopeFilters.None is no flag', ScopeFilters.None, 0],
  ['ScopeFilters.Tenant is a flag of its own', ScopeFilters.Tenant, 1 << 0],
  ['ScopeFilters.Organization is a flag of its own', ScopeFilters.Organization, 1 << 1],
  ['ScopeFilters.Customer is a flag of its own', ScopeFilters.Customer, 1 << 2],
  ['ScopeFilters.User is a flag of its own', ScopeFilters.User, 1 << 3],
  ['ScopeFilters.Principal is a flag of its own', ScopeFilters.Principal, 1 << 4],
  ['AuditMode.OptOut', AuditMode.OptOut, 'OptOut'],
  ['AuditMode.OptIn', AuditMode.OptIn, 'OptIn'],
  ['AuditLevel.Info, which is the default', AuditLevel.Info, 0],
  ['MigrationStatus.Applied is 1', MigrationStatus.Applied, 1],
  ['MigrationStatus.Updated is 2', MigrationStatus.Updated, 2],
  ['MigrationStatus.Skipped is 3', MigrationStatus.Skipped, 3],
  ['MigrationStatus.MigratingInBackground is 4', MigrationStatus.MigratingInBackground, 4],
  ['MigrationStatus.Failed is -1', MigrationStatus.Failed, -1],
  ['MigrationStrategy.DirectDdl', MigrationStrategy.DirectDdl, 'DirectDdl'],
  ['MigrationStrategy.ColumnCopy', MigrationStrategy.ColumnCopy, 'ColumnCopy'],
  ['MigrationStrategy.EventReplay', MigrationStrategy.EventReplay, 'EventReplay'],
  ['MigrationFailureReason.Unknown is 0', MigrationFailureReason.Unknown, 0],
  ['MigrationFailureReason.SqlError is 1', MigrationFailureReason.SqlError, 1],
  ['MigrationFailureReason.Timeout is 2', MigrationFailureReason.Timeout, 2],
  ['MigrationFailureReason.ColumnTypeMismatch is 3', MigrationFailureReason.ColumnTypeMismatch, 3],
  ['MigrationFailureReason.DataCopyFailed is 4', MigrationFailureReason.DataCopyFailed, 4],
  ['MigrationFailureReason.SwapFailed is 5', MigrationFailureReason.SwapFailed, 5],
  ['PermissionChangeType.RolesAdded', PermissionChangeType.RolesAdded, 'RolesAdded'],
  ['PermissionChangeType.RolesRemoved', PermissionChangeType.RolesRemoved, 'RolesRemoved'],
])('%s', (_row, actual, expected) => expect(actual).toBe(expected));

it.each([
  ['ScopeFilters', Object.keys(ScopeFilters), ['None', 'Tenant', 'Organization', 'Customer', 'User', 'Principal']],
  ['AuditMode', Object.keys(AuditMode), ['OptOut', 'OptIn']],
  [
    'MigrationStatus',
    Object.keys(MigrationStatus),
    ['Applied', 'Updated', 'Skipped', 'MigratingInBackground', 'Failed'],
  ],
  ['MigrationStrategy', Object.keys(MigrationStrategy), ['DirectDdl', 'ColumnCopy', 'EventReplay']],
  [
    'MigrationFailureReason',
    Object.keys(MigrationFailureReason),
    ['Unknown', 'SqlError', 'Timeout', 'ColumnTypeMismatch', 'DataCopyFailed', 'SwapFailed'],
  ],
])('%s has no other value', (_name, actual, expected) => expect(actual).toEqual(expected));
