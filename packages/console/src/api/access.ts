import { readAuditQuery } from '@svc/core/hosting';
import { Denials, DenialsQuery, NoParameters, Roles, RolesQuery } from '../contract/index.js';
import { operation } from './operation.js';
import { entryOf, timeOf } from './shown.js';

const usualRangeMs = 24 * 60 * 60 * 1_000;

const denials = operation({
  method: 'GET',
  path: '/access/denials',
  summary: 'Denied access over time, by user, permission and resource',
  right: 'read',
  params: NoParameters,
  query: DenialsQuery,
  body: null,
  response: Denials,
  answer: async ({ service, query, signal }) => {
    const asked = readAuditQuery({ from: query.from, to: query.to });
    const to = asked.to ?? new Date();
    const from = asked.from ?? new Date(to.getTime() - usualRangeMs);
    const counted = await service.administration.access.denials(from, to, signal);
    const { counts, byUser, byPermission, byResource, newest, ...rest } = counted;
    return {
      ...rest,
      from: from.toISOString(),
      to: to.toISOString(),
      counts: [...counts],
      byUser: [...byUser],
      byPermission: [...byPermission],
      byResource: [...byResource],
      newest: newest.map(entryOf),
    };
  },
});

const roles = operation({
  method: 'GET',
  path: '/access/roles',
  summary: 'Which users have which roles and permissions, as far as the service knows',
  right: 'read',
  params: NoParameters,
  query: RolesQuery,
  body: null,
  response: Roles,
  answer: async ({ service, query: { user, tenant } }) => {
    const { users, isComplete } = await service.administration.access.users({ user, tenant });
    return {
      users: users.map(({ userId, tenantId, source, changedBy, ...one }) => ({
        userId,
        tenantId,
        source,
        changedBy,
        roles: [...one.roles],
        permissions: [...one.permissions],
        seenAt: timeOf(one.seenAt),
        changedAt: timeOf(one.changedAt),
      })),
      isComplete,
    };
  },
});

export const accessOperations = [denials, roles];
