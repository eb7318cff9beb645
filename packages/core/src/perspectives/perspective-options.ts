import { ServiceError } from '../errors/index.js';
import type { MessageClass } from '../messages/index.js';
import { permission, ScopeFilters, type Permission } from '../security/index.js';

export interface PerspectiveOptions {
  /** Where models can be read: `GET <route>` and `GET <route>/<id>`. Starts with `/`. Null, absent or empty: nowhere. */
  readonly route?: string | null;
  /** The permission that callers need: `Permission.read('orders')`, or `'orders:read'`. Default: none in particular. */
  readonly requires?: Permission | `${string}:${string}`;
  /** Lets callers in who have not shown who they are, where everybody else has to. Default: false. */
  readonly allowAnonymous?: boolean;
  /** Which values of a caller's scope a model must have to be seen: `ScopeFilters.Tenant`. Default: none. */
  readonly scope?: ScopeFilters;
}

/** How a perspective is served, and to whom. */
export interface PerspectiveAccess {
  readonly route: string | null;
  readonly requires: Permission | null;
  readonly allowAnonymous: boolean;
  readonly scope: ScopeFilters;
}

const known = new WeakMap<object, PerspectiveAccess>();
const nothingSaid: PerspectiveAccess = { route: null, requires: null, allowAnonymous: false, scope: ScopeFilters.None };

/**
 * Lets callers read the models of a perspective. Works as a decorator, and called on the class.
 *
 * @example
 * ```ts
 * @perspective({ route: '/orders', requires: 'orders:read', scope: ScopeFilters.Tenant })
 * export class OrderSummaryPerspective implements Perspective<OrderSummary, OrderPlaced | OrderPaid> {
 * ```
 */
export function perspective(
  options: PerspectiveOptions,
): (target: MessageClass, context?: ClassDecoratorContext) => void {
  return (target) => {
    known.set(target, accessOf(options));
  };
}

export function perspectiveAccessOf(target: MessageClass): PerspectiveAccess {
  return known.get(target) ?? nothingSaid;
}

const plainRoute = /^(?:\/[A-Za-z0-9._~-]+)+$/;

function accessOf({ route, requires, allowAnonymous = false, scope = 0 }: PerspectiveOptions): PerspectiveAccess {
  if (route !== undefined && route !== null && route !== '' && !plainRoute.test(route)) {
    throw new ServiceError('SVC_INVALID_VALUE', 'The route of a perspective is a path such as /orders.');
  }
  if (allowAnonymous && (requires !== undefined || scope !== ScopeFilters.None)) {
    throw new ServiceError(
      'SVC_INVALID_VALUE',
      'A perspective that requires a permission or filters by scope cannot let anonymous callers in.',
    );
  }
  return {
    route: route === undefined || route === '' ? null : route,
    requires: requires === undefined ? null : permission(requires),
    allowAnonymous,
    scope,
  };
}
