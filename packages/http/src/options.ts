import type { Permission } from '@svc/core';
import type { LiveOptions } from './live/index.js';
import type { AddedRoutes } from './routes/route.js';

/** The options of `svc`. */
export interface SvcOptions {
  /** The largest body accepted, in bytes. Default: 1 MiB. */
  readonly bodyLimit?: number;
  /** The title and version in `GET /openapi.json`; false: neither this route, nor `GET /asyncapi.json`, nor `GET /docs`. */
  readonly openapi?: OpenApiInfo | false;
  /**
   * False: no `GET /asyncapi.json`, which describes live queries and the messages that the service exchanges with other hosts. It has the title and the
   * version of `openapi`, and is not served without it. Default: served.
   */
  readonly asyncapi?: boolean;
  /** False: no `GET /docs`. Default: served. */
  readonly docs?: boolean;
  /**
   * The permission that `GET /openapi.json`, `GET /asyncapi.json` and `GET /docs` need. Default: none, and no credential either, even in a service with authentication:
   * a browser cannot send one, and the pages describe the API, not its data.
   */
  readonly docsRequire?: Permission | `${string}:${string}`;
  /** The limits of live queries, `GET <route>/live` and GraphQL subscriptions; false: none are served. */
  readonly live?: LiveOptions | false;
  /** Serves mutations, queries and subscriptions over GraphQL: `graphQL()` of `@svc/graphql`. Default: not served. */
  readonly graphql?: AddedRoutes;
  /** Serves the operator console at `/console`: `operatorConsole()` of `@svc/console`. Default: not served. */
  readonly console?: AddedRoutes;
}

/** The title, version and servers of an API. */
export interface OpenApiInfo {
  /** Default: `API`. */
  readonly title?: string;
  /** The version of the API, not of OpenAPI. Default: `1.0.0`. */
  readonly version?: string;
  readonly description?: string;
  /** Whom users of the API can ask. */
  readonly contact?: { readonly name?: string; readonly url?: string; readonly email?: string };
  /** The terms under which the API may be used: a name, and an SPDX identifier or a URL. */
  readonly license?: { readonly name: string; readonly identifier?: string; readonly url?: string };
  /**
   * The URLs under which clients reach the API, for `servers`: `https://example.com/shop`, or `/shop` on any host. Set it if a proxy removes a part of
   * the path: the service does not know it. A prefix of the plugin is part of the URL. Default: that prefix.
   */
  readonly servers?: readonly string[];
}

const defaultBodyLimit = 1024 * 1024;

/** The limit of bodies, in bytes; throws if it is invalid. */
export function checkedBodyLimit({ bodyLimit = defaultBodyLimit }: SvcOptions): number {
  if (Number.isSafeInteger(bodyLimit) && bodyLimit > 0) return bodyLimit;
  throw new RangeError(`bodyLimit must be a whole number of bytes above 0, not ${bodyLimit}.`);
}
