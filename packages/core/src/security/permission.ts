import { ServiceError } from '../errors/index.js';

declare const brand: unique symbol;

/** A permission in the form `resource:action`, such as `orders:write`. `*` matches any resource or action: `orders:*`, `*:read`. */
export type Permission = string & { readonly [brand]: 'Permission' };

const part = '(?:[A-Za-z0-9][A-Za-z0-9._-]{0,99}|\\*)';
/** How many characters of a wrong permission an error quotes. */
const mostQuoted = 200;

const shape = new RegExp(`^${part}:${part}$`);

/** Whether a text is a permission such as `orders:write`. */
export function isPermission(text: string): text is Permission {
  return shape.test(text);
}

/** Converts a text to a permission. Throws if it is not one. */
export function permission(text: string): Permission {
  if (!isPermission(text)) {
    throw new ServiceError(
      'SVC_INVALID_VALUE',
      `${JSON.stringify(text.slice(0, mostQuoted))} is not a permission. Use the form resource:action, such as orders:write.`,
    );
  }
  return text;
}

/** Creates permissions for the usual actions on a resource. */
export const Permission = {
  read: (resource: string): Permission => permission(`${resource}:read`),
  write: (resource: string): Permission => permission(`${resource}:write`),
  delete: (resource: string): Permission => permission(`${resource}:delete`),
  admin: (resource: string): Permission => permission(`${resource}:admin`),
  all: (resource: string): Permission => permission(`${resource}:*`),
} as const;

/** Whether the permissions of a caller grant another one, taking wildcards into account. */
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
