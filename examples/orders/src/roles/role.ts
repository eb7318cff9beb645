import type { RolePermissions } from '@svc/fastify';

export type Role = 'clerk' | 'auditor' | 'admin';

/** What each role may do. */
export const rolePermissions = {
  clerk: ['orders:write', 'payments:write'],
  auditor: ['system:read'],
  admin: ['*:*'],
} as const satisfies RolePermissions & Record<Role, unknown>;
