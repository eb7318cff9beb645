import type { RolePermissions } from '@svc/fastify';

export type Role = 'clerk' | 'auditor' | 'admin';

/** The permissions of each role. */
export const rolePermissions = {
  clerk: ['orders:read', 'orders:write', 'customers:read', 'payments:write'],
  auditor: ['orders:read', 'customers:read', 'system:read'],
  admin: ['*:*'],
} as const satisfies RolePermissions & Record<Role, unknown>;
