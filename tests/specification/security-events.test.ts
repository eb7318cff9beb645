/** The fields of the security events: of callers with API keys who reach a guarded route over HTTP, and of changes that the application emits. */
import {
  AccessDenialReason,
  AccessDenied,
  AccessGranted,
  Permission,
  PermissionChanged,
  PermissionChangeType,
  ScopeContextEstablished,
  ScopeFilters,
  type Service,
} from '@svc/core';
import { type Storage } from '@svc/core/storage';
import { apiKeyAuthentication, newApiKey, restrictedTo } from '@svc/fastify';
import Fastify from 'fastify';
import { expect } from 'vitest';
import { records, shop } from '../system-events/shop.js';
import { anyUuid, describeRecords, isBetween, whileRunning, type Rows } from './recorded.js';

const [reader, guest] = [newApiKey(), newApiKey()];
const scopes = { reader: { tenantId: 'acme', userId: 'ann' }, guest: { tenantId: 'acme', userId: 'bob' } };
const keys = [
  { sha256: reader.sha256, scope: scopes.reader, roles: ['clerk'], permissions: ['reports:read'] },
  { sha256: guest.sha256, scope: scopes.guest, roles: ['guest', 'temp'], permissions: ['menus:read', 'menus:list'] },
];
const changedAt = new Date('2020-02-29T12:00:00.000Z');

interface Recorded {
  readonly established: readonly ScopeContextEstablished[];
  readonly granted: readonly AccessGranted[];
  readonly denied: readonly AccessDenied[];
  /** One with all fields, then one with the required ones. */
  readonly changed: readonly PermissionChanged[];
  /** When the callers came and were answered. */
  readonly between: readonly [Date, Date];
}

function secured(storage: Storage): Service {
  return shop().useStorage(storage).addSystemEvents().addAuthentication(apiKeyAuthentication({ keys })).start();
}

/** Both callers reach for a report by name, and for the list of them. */
async function callersReach(service: Service): Promise<void> {
  const app = Fastify();
  const route = { requires: Permission.read('reports'), resourceType: 'report', recordGrant: true };
  const named = {
    ...route,
    filter: ScopeFilters.Tenant | ScopeFilters.User,
    resourceId: ({ url }: { url: string }) => url,
  };
  app.get('/reports/sales', restrictedTo(service, named), () => 'sales');
  app.get('/reports', restrictedTo(service, route), () => 'list');
  for (const url of ['/reports/sales', '/reports']) {
    const statusOf = async (key: string): Promise<number> =>
      (await app.inject({ url, headers: { 'x-api-key': key } })).statusCode;
    expect([await statusOf(reader.key), await statusOf(guest.key)]).toEqual([200, 403]);
  }
  await app.close();
}

function permissionChanges(): PermissionChanged[] {
  const required = { userId: 'ann', tenantId: 'acme', changedBy: 'eve', timestamp: changedAt };
  const all = {
    changeType: PermissionChangeType.RolesAdded,
    rolesAdded: new Set(['clerk']),
    rolesRemoved: new Set(['guest']),
    permissionsAdded: new Set([Permission.write('orders')]),
    permissionsRemoved: new Set([Permission.read('menus')]),
  };
  return [
    Object.assign(new PermissionChanged(), required, all),
    Object.assign(new PermissionChanged(), required, { changeType: PermissionChangeType.RolesRemoved }),
  ];
}

const scopeContextEstablished: Rows<Recorded> = {
  'ScopeContextEstablished.Id: generated, one for each': ({ established: [first, second] }) => {
    expect([first!.id, second!.id]).toEqual([expect.stringMatching(anyUuid), expect.stringMatching(anyUuid)]);
    expect(first!.id).not.toBe(second!.id);
  },
  'ScopeContextEstablished.Scope: that of the caller': ({ established }) =>
    expect(established.map(({ scope }) => scope)).toEqual([scopes.reader, scopes.guest]),
  'ScopeContextEstablished.Roles: a set of texts': ({ established }) =>
    expect(established.map(({ roles }) => roles)).toEqual([new Set(['clerk']), new Set(['guest', 'temp'])]),
  'ScopeContextEstablished.Permissions: a set of permissions': ({ established }) =>
    expect(established.map(({ permissions }) => permissions)).toEqual(
      keys.map(({ permissions }) => new Set(permissions)),
    ),
  'ScopeContextEstablished.Source: origin of the context': ({ established }) =>
    expect(established.map(({ source }) => source)).toEqual(['api-key', 'api-key']),
  'ScopeContextEstablished.Timestamp: when it was established': ({ established: [first], between }) =>
    expect(isBetween(first!.timestamp, between)).toBe(true),
};

const permissionChanged: Rows<Recorded> = {
  'PermissionChanged.Id: generated, one for each': ({ changed: [first, second] }) => {
    expect([first!.id, second!.id]).toEqual([expect.stringMatching(anyUuid), expect.stringMatching(anyUuid)]);
    expect(first!.id).not.toBe(second!.id);
  },
  'PermissionChanged.UserId: user whose permissions changed': ({ changed: [first] }) =>
    expect(first!.userId).toBe('ann'),
  'PermissionChanged.TenantId: tenant of the user': ({ changed: [first] }) => expect(first!.tenantId).toBe('acme'),
  'PermissionChanged.ChangeType: kind of the change': ({ changed }) =>
    expect(changed.map(({ changeType }) => changeType)).toEqual(['RolesAdded', 'RolesRemoved']),
  'PermissionChanged.RolesAdded: a set of texts, or none': ({ changed }) =>
    expect(changed.map(({ rolesAdded }) => rolesAdded)).toEqual([new Set(['clerk']), undefined]),
  'PermissionChanged.RolesRemoved: a set of texts, or none': ({ changed }) =>
    expect(changed.map(({ rolesRemoved }) => rolesRemoved)).toEqual([new Set(['guest']), undefined]),
  'PermissionChanged.PermissionsAdded: a set of permissions, or none': ({ changed }) =>
    expect(changed.map(({ permissionsAdded }) => permissionsAdded)).toEqual([new Set(['orders:write']), undefined]),
  'PermissionChanged.PermissionsRemoved: a set of permissions, or none': ({ changed }) =>
    expect(changed.map(({ permissionsRemoved }) => permissionsRemoved)).toEqual([new Set(['menus:read']), undefined]),
  'PermissionChanged.ChangedBy: who changed them': ({ changed: [first] }) => expect(first!.changedBy).toBe('eve'),
  'PermissionChanged.Timestamp: when they changed': ({ changed: [first] }) =>
    expect(first!.timestamp).toEqual(changedAt),
};

const accessGranted: Rows<Recorded> = {
  'AccessGranted.Id: generated, one for each': ({ granted: [first, second] }) => {
    expect([first!.id, second!.id]).toEqual([expect.stringMatching(anyUuid), expect.stringMatching(anyUuid)]);
    expect(first!.id).not.toBe(second!.id);
  },
  'AccessGranted.ResourceType: kind of what was reached': ({ granted: [first] }) =>
    expect(first!.resourceType).toBe('report'),
  'AccessGranted.ResourceId: which of them, or none': ({ granted }) =>
    expect(granted.map(({ resourceId }) => resourceId)).toEqual(['/reports/sales', undefined]),
  'AccessGranted.UsedPermission: the permission that was needed': ({ granted: [first] }) =>
    expect(first!.usedPermission).toBe('reports:read'),
  'AccessGranted.AccessFilter: combined flags': ({ granted }) =>
    expect(granted.map(({ accessFilter }) => accessFilter)).toEqual([1 + 8, 0]),
  'AccessGranted.Scope: scope at time of access': ({ granted: [first] }) => expect(first!.scope).toEqual(scopes.reader),
  'AccessGranted.Timestamp: when access was granted': ({ granted: [first], between }) =>
    expect(isBetween(first!.timestamp, between)).toBe(true),
};

const accessDenied: Rows<Recorded> = {
  'AccessDenied.Id: generated, one for each': ({ denied: [first, second] }) => {
    expect([first!.id, second!.id]).toEqual([expect.stringMatching(anyUuid), expect.stringMatching(anyUuid)]);
    expect(first!.id).not.toBe(second!.id);
  },
  'AccessDenied.ResourceType: kind of what was denied': ({ denied: [first] }) =>
    expect(first!.resourceType).toBe('report'),
  'AccessDenied.ResourceId: which of them, or none': ({ denied }) =>
    expect(denied.map(({ resourceId }) => resourceId)).toEqual(['/reports/sales', undefined]),
  'AccessDenied.RequiredPermission: the permission that was needed': ({ denied: [first] }) =>
    expect(first!.requiredPermission).toBe('reports:read'),
  'AccessDenied.CallerPermissions: a set of permissions': ({ denied: [first] }) =>
    expect(first!.callerPermissions).toEqual(new Set(['menus:read', 'menus:list'])),
  'AccessDenied.CallerRoles: a set of texts': ({ denied: [first] }) =>
    expect(first!.callerRoles).toEqual(new Set(['guest', 'temp'])),
  'AccessDenied.Scope: that of the caller': ({ denied: [first] }) => expect(first!.scope).toEqual(scopes.guest),
  'AccessDenied.Reason: why access was denied': ({ denied: [first] }) =>
    expect(first!.reason).toBe(AccessDenialReason.InsufficientPermission),
  'AccessDenied.Timestamp: when access was denied': ({ denied: [first], between }) =>
    expect(isBetween(first!.timestamp, between)).toBe(true),
};

describeRecords<Recorded>(
  (storage) =>
    whileRunning(secured(storage), async (service) => {
      const began = new Date();
      await callersReach(service);
      const between = [began, new Date()] as const;
      for (const change of permissionChanges()) await service.emitter.emit(change);
      return {
        established: await records(service, ScopeContextEstablished),
        granted: await records(service, AccessGranted),
        denied: await records(service, AccessDenied),
        changed: await records(service, PermissionChanged),
        between,
      };
    }),
  { ...scopeContextEstablished, ...permissionChanged, ...accessGranted, ...accessDenied },
);
