import { AsyncLocalStorage } from 'node:async_hooks';
import type { Permission } from './permission.js';
import type { PerspectiveScope } from './perspective-scope.js';

/** Who acts: established by a transport, valid for everything that the request sets in motion. */
export interface SecurityContext {
  readonly scope: PerspectiveScope;
  readonly roles: ReadonlySet<string>;
  readonly permissions: ReadonlySet<Permission>;
  /** Where the context comes from, such as `jwt` or `api-key`. */
  readonly source: string;
  /** A name to show, when there is one. */
  readonly userName?: string;
}

const ambient = new AsyncLocalStorage<SecurityContext>();

/** Runs `action`, and everything it starts, as whoever the context says. */
export function runAs<T>(context: SecurityContext, action: () => T): T {
  return ambient.run(context, action);
}

/** Who acts now; null when nobody was established. */
export function currentSecurityContext(): SecurityContext | null {
  return ambient.getStore() ?? null;
}
