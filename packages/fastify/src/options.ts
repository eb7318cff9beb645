import type { Permission } from '@svc/core';

export interface SvcOptions {
  /** The largest body accepted, in bytes. Default: 1 MiB. */
  readonly bodyLimit?: number;
  /** What `GET /openapi.json` says about the service; false: no such route, and no `GET /docs`. */
  readonly openapi?: OpenApiInfo | false;
  /** False: no `GET /docs`. Default: served. */
  readonly docs?: boolean;
  /**
   * The permission that `GET /openapi.json` and `GET /docs` need. Default: none. Anybody may read them, also where everything else asks
   * for a credential: a browser cannot send one, and they tell how to call the service, not what is in it.
   */
  readonly docsRequire?: Permission | `${string}:${string}`;
}

export interface OpenApiInfo {
  /** Default: `API`. */
  readonly title?: string;
  /** The version of the API, not of OpenAPI. Default: `1.0.0`. */
  readonly version?: string;
  readonly description?: string;
}

export const defaultBodyLimit = 1024 * 1024;
