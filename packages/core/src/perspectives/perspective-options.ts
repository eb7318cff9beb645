import { ServiceError } from '../errors/index.js';
import { ClassNotes, type MessageClass } from '../messages/index.js';
import { grantWithoutPermission, permission, ScopeFilters, type Permission } from '../security/index.js';

/** The types of an indexed property: one plain value, or none. */
type Indexable = string | number | boolean | Date | null | undefined;

/** The properties of a model that can be indexed. */
export type IndexableProperty<TModel> = {
  [K in keyof TModel & string]: [TModel[K]] extends [Indexable] ? K : never;
}[keyof TModel & string] &
  string;

type ModelOf<T> = T extends new (...args: never[]) => { apply(...args: never[]): infer TModel }
  ? NonNullable<TModel>
  : never;

/** Accepts the class of a perspective only if its model has the indexed properties. */
type IndexedBy<T, TIndexed extends string> = [TIndexed] extends [Exclude<IndexableProperty<ModelOf<T>>, 'key'>]
  ? unknown
  : { readonly indexed: Exclude<IndexableProperty<ModelOf<T>>, 'key'> };

export interface PerspectiveOptions<TIndexed extends string = string> {
  /** Serves the models over REST: `GET <route>` and `GET <route>/<id>`. Starts with `/`. Null, absent or empty: not over REST. */
  readonly route?: string | null;
  /** The GraphQL query and subscription for one model by its id: `order` for `order(id: ID!)`. Null, absent or empty: none. */
  readonly graphQLQuery?: string | null;
  /** The GraphQL query for models page by page, and the subscription to the first page: `orders` for `orders(page: Int, pageSize: Int)`. Null, absent or empty: none. */
  readonly graphQLListQuery?: string | null;
  /** The permission that callers need: `Permission.read('orders')`, or `'orders:read'`. Default: none. */
  readonly requires?: Permission | `${string}:${string}`;
  /** Whether callers need not authenticate, although the service requires it elsewhere. Default: false. */
  readonly allowAnonymous?: boolean;
  /**
   * Which scope values a caller and a model must share, such as `ScopeFilters.User`. They also distinguish models with the same key.
   * The tenant is always included, unless this is `ScopeFilters.None`: then all tenants share the models. A caller that lacks one of the
   * named values is rejected. Default: the tenant; callers without a tenant see the models without one.
   */
  readonly scope?: ScopeFilters;
  /** Whether svc emits `AccessGranted` for callers that read models over REST or GraphQL; needs `requires`. Default: false. */
  readonly recordGrant?: boolean;
  /** The properties that callers can filter and sort by; each has one plain value. Default: none. */
  readonly indexed?: readonly TIndexed[];
  /**
   * Increase it when `apply` or `keyOf` return other results for the same events: svc then rebuilds the models while the old ones serve.
   * svc detects changes of the model's type without it. Default: 1.
   */
  readonly version?: number;
}

/** How a perspective is served, and to which callers. */
export interface PerspectiveAccess {
  readonly route: string | null;
  readonly graphQLQuery: string | null;
  readonly graphQLListQuery: string | null;
  readonly requires: Permission | null;
  readonly allowAnonymous: boolean;
  /** The scope values that a caller and a model must share. */
  readonly scope: ScopeFilters;
  /** Whether all tenants share the models. */
  readonly isShared: boolean;
  readonly recordGrant: boolean;
  readonly version: number;
}

const known = new ClassNotes<PerspectiveAccess>();
const nothingSaid: PerspectiveAccess = {
  route: null,
  graphQLQuery: null,
  graphQLListQuery: null,
  requires: null,
  allowAnonymous: false,
  scope: ScopeFilters.None,
  isShared: false,
  recordGrant: false,
  version: 1,
};

/**
 * Serves the models of a perspective over REST and GraphQL. Use it as a decorator, or call it with the class.
 *
 * @example
 * ```ts
 * @perspective({ route: '/orders', graphQLQuery: 'order', graphQLListQuery: 'orders', indexed: ['status'] })
 * export class OrderSummaryPerspective implements Perspective<OrderSummary, OrderPlaced | OrderPaid> {
 * ```
 */
export function perspective<const TIndexed extends string = never>(
  options: PerspectiveOptions<TIndexed>,
): <T extends MessageClass>(target: T & IndexedBy<T, TIndexed>, context?: ClassDecoratorContext) => void {
  return (target, context) => {
    known.add(target, accessOf(options), context);
  };
}

/** Whether the models are served over REST or GraphQL. */
export function isServed({ route, graphQLQuery, graphQLListQuery }: PerspectiveAccess): boolean {
  return route !== null || graphQLQuery !== null || graphQLListQuery !== null;
}

export function perspectiveAccessOf(target: MessageClass): PerspectiveAccess {
  return known.of(target) ?? nothingSaid;
}

const plainRoute = /^(?:\/[A-Za-z0-9._~-]+)+$/;

function accessOf(options: PerspectiveOptions): PerspectiveAccess {
  const { requires, allowAnonymous = false, recordGrant = false, version = 1 } = options;
  const scope = options.scope ?? ScopeFilters.None;
  if (!Number.isSafeInteger(version) || version < 1) {
    throw new ServiceError('SVC_INVALID_VALUE', 'The version of a perspective must be a whole number of at least 1.');
  }
  const route = textOrNull(options.route);
  if (route !== null && !plainRoute.test(route)) {
    throw new ServiceError('SVC_INVALID_VALUE', 'The route of a perspective must be a plain path such as /orders.');
  }
  if (allowAnonymous && (requires !== undefined || scope !== ScopeFilters.None)) {
    throw new ServiceError(
      'SVC_INVALID_VALUE',
      'A perspective that requires a permission or filters by scope cannot allow anonymous callers. Remove allowAnonymous, or requires and scope.',
    );
  }
  if (recordGrant && requires === undefined) throw grantWithoutPermission('A perspective');
  return {
    route,
    graphQLQuery: textOrNull(options.graphQLQuery),
    graphQLListQuery: textOrNull(options.graphQLListQuery),
    requires: requires === undefined ? null : permission(requires),
    allowAnonymous,
    scope,
    isShared: options.scope === ScopeFilters.None,
    recordGrant,
    version,
  };
}

/** The scope values that distinguish the models of a perspective. */
export function ownerFilters({ scope, isShared }: PerspectiveAccess, isolatesTenants: boolean): ScopeFilters {
  return isShared || !isolatesTenants ? scope : scope | ScopeFilters.Tenant;
}

function textOrNull(text: string | null | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}
