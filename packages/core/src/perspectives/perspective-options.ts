import { ServiceError } from '../errors/index.js';
import { ClassNotes, type MessageClass } from '../messages/index.js';
import { grantWithoutPermission, permission, ScopeFilters, type Permission } from '../security/index.js';

/** What an indexed property may hold: one plain value, or none. */
type Indexable = string | number | boolean | Date | null | undefined;

/** The properties of a model that can be indexed. */
export type IndexableProperty<TModel> = {
  [K in keyof TModel & string]: [TModel[K]] extends [Indexable] ? K : never;
}[keyof TModel & string] &
  string;

type ModelOf<T> = T extends new (...args: never[]) => { apply(...args: never[]): infer TModel }
  ? NonNullable<TModel>
  : never;

/** Accepts the class of a perspective only when its model has the properties it is to be indexed by. */
type IndexedBy<T, TIndexed extends string> = [TIndexed] extends [Exclude<IndexableProperty<ModelOf<T>>, 'key'>]
  ? unknown
  : { readonly indexed: Exclude<IndexableProperty<ModelOf<T>>, 'key'> };

export interface PerspectiveOptions<TIndexed extends string = string> {
  /** Where models can be read: `GET <route>` and `GET <route>/<id>`. Starts with `/`. Null, absent or empty: nowhere. */
  readonly route?: string | null;
  /** The GraphQL query for one model by its id: `order` for `order(id: ID!)`. Null, absent or empty: there is none. */
  readonly graphQLQuery?: string | null;
  /** The GraphQL query for models page by page: `orders` for `orders(page: Int, pageSize: Int)`. Null, absent or empty: there is none. */
  readonly graphQLListQuery?: string | null;
  /** The permission that callers need: `Permission.read('orders')`, or `'orders:read'`. Default: none in particular. */
  readonly requires?: Permission | `${string}:${string}`;
  /** Lets callers in who have not shown who they are, where everybody else has to. Default: false. */
  readonly allowAnonymous?: boolean;
  /**
   * Which values of a caller's scope a model must have to be seen, and which tell models of one key apart: `ScopeFilters.User`. The tenant
   * is always among them, unless this is `ScopeFilters.None`: then all tenants share the models. A caller without one of the values that are
   * named here is rejected. Default: the tenant, and callers of no tenant see what belongs to none.
   */
  readonly scope?: ScopeFilters;
  /** Emits `AccessGranted` for callers who are shown models over REST or GraphQL; needs `requires`. Default: false. */
  readonly recordGrant?: boolean;
  /** Properties of the model that can be filtered and sorted by, each of them one plain value. Default: none. */
  readonly indexed?: readonly TIndexed[];
  /**
   * Counts up when `apply` or `keyOf` make something else of the same events: the models are then made anew, while the old ones serve.
   * What changes the type of the model is noticed without it. Default: 1.
   */
  readonly version?: number;
}

/** How a perspective is served, and to whom. */
export interface PerspectiveAccess {
  readonly route: string | null;
  readonly graphQLQuery: string | null;
  readonly graphQLListQuery: string | null;
  readonly requires: Permission | null;
  readonly allowAnonymous: boolean;
  /** The values that a caller's scope must have, and a model the same. */
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
 * Lets callers read the models of a perspective. Works as a decorator, and called on the class.
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

/** Whether callers can read the models at all. */
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

/** The values of a scope that tell the models of a perspective apart. */
export function ownerFilters({ scope, isShared }: PerspectiveAccess, isolatesTenants: boolean): ScopeFilters {
  return isShared || !isolatesTenants ? scope : scope | ScopeFilters.Tenant;
}

function textOrNull(text: string | null | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}
