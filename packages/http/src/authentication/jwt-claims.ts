import { isPermission } from '@svc/core/hosting';
import type { Identity } from './identity.js';
import type { JwtClaims } from './jwt-options.js';

/**
 * Reads the identity from the usual claims: `sub` is the user, `name` (or `preferred_username`) the display name, `tenant_id` (or `tenantId`)
 * the tenant, `roles` a list of roles, `permissions` a list of permissions, `scope` a space-separated list of permissions. Returns null if a
 * claim has another type or `sub` is missing.
 */
export function identityOfClaims(claims: JwtClaims): Identity | null {
  const userId = textIn(claims, 'sub');
  const userName = textIn(claims, 'name', 'preferred_username');
  const tenantId = textIn(claims, 'tenant_id', 'tenantId');
  const isTenantClear = new Set([claims['tenant_id'] ?? tenantId, claims['tenantId'] ?? tenantId]).size === 1;
  const roles = textsIn(claims['roles']);
  const permissions = textsIn(claims['permissions']);
  const scopes = textIn(claims, 'scope');
  if (typeof userId !== 'string' || userName === null || tenantId === null || scopes === null) return null;
  if (!isTenantClear) return null;
  if (roles === null || permissions === null) return null;
  // Not every OAuth scope is a permission: `openid` and `profile` are not.
  const ofScopes = scopes?.split(' ').filter((text) => isPermission(text)) ?? [];
  return {
    scope: { userId, ...(tenantId !== undefined && { tenantId }) },
    ...(userName !== undefined && { userName }),
    roles,
    permissions: [...permissions, ...ofScopes],
  };
}

/** The first of these claims that exists; null if one of them is not a string. */
function textIn(claims: JwtClaims, ...names: readonly string[]): string | null | undefined {
  const found = names.map((name) => claims[name]).filter((value) => value !== undefined);
  const [first] = found;
  if (first === undefined) return undefined;
  return found.every((value) => typeof value === 'string') ? (first as string) : null;
}

/** A list of strings, empty if the claim is missing; null if it is anything else. */
function textsIn(value: unknown): readonly string[] | null {
  if (value === undefined) return [];
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : null;
}
