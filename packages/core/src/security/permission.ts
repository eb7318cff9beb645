import { ServiceError } from '../errors/index.js';

declare const brand: unique symbol;

/** What somebody may do, as `resource:action`: `orders:write`. `*` stands for a whole part: `orders:*`, `*:read`, `*:*`. */
export type Permission = string & { readonly [brand]: 'Permission' };

const part = '(?:[A-Za-z0-9][A-Za-z0-9._-]{0,99}|\\*)';
const shape = new RegExp(`^${part}:${part}$`);

export function isPermission(text: string): text is Permission {
  return shape.test(text);
}

/** Takes a permission from outside. */
export function permission(text: string): Permission {
  if (!isPermission(text)) {
    throw new ServiceError('SVC_INVALID_VALUE', 'The text is not a permission such as orders:write.');
  }
  return text;
}

/** The usual actions on a resource. */
export const Permission = {
  read: (resource: string): Permission => permission(`${resource}:read`),
  write: (resource: string): Permission => permission(`${resource}:write`),
  delete: (resource: string): Permission => permission(`${resource}:delete`),
  admin: (resource: string): Permission => permission(`${resource}:admin`),
  all: (resource: string): Permission => permission(`${resource}:*`),
} as const;

/** Whether somebody who holds these permissions may do what `wanted` says. */
export function isGranted(held: Iterable<Permission>, wanted: Permission): boolean {
  const [resource, action] = partsOf(wanted);
  for (const candidate of held) {
    const [heldResource, heldAction] = partsOf(candidate);
    if ((heldResource === '*' || heldResource === resource) && (heldAction === '*' || heldAction === action))
      return true;
  }
  return false;
}

function partsOf(text: Permission): [resource: string, action: string] {
  const colon = text.indexOf(':');
  return [text.slice(0, colon), text.slice(colon + 1)];
}
