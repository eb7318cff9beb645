import { AccessDeniedError, ScopeFilters, ServiceError, type SecurityContext } from '@svc/core';
import { isGranted, scopeCondition, type PerspectiveAccess } from '@svc/core/hosting';

/** After so many denied fields, the remaining fields of a request are neither authorized nor executed. */
const mostDenials = 3;

/** What a caller was denied in one request, batches included. Without a limit one request causes a denial, and its record, per field. */
export class Denials {
  #count = 0;
  #turn: Promise<unknown> = Promise.resolve();

  /** Runs a field, or a part of it, and counts when it is denied. Throws when too many were denied before. */
  async counting<T>(run: () => Promise<T>): Promise<T> {
    if (this.#count >= mostDenials) throw new DenialLimitError();
    try {
      return await run();
    } catch (error) {
      if (error instanceof AccessDeniedError) this.#count += 1;
      throw error;
    }
  }

  /** The same, one at a time. Fields of a query and operations of a batch start together: none would know of the denial of another. */
  countingInTurn<T>(run: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(() => this.counting(run));
    this.#turn = result.catch(() => {});
    return result;
  }
}

class DenialLimitError extends ServiceError {
  constructor() {
    super('SVC_ACCESS_DENIED', `Not executed: ${mostDenials} fields of this request were denied before it.`);
  }
}

/** Whether a query will be denied. A guess for the order of work: the query itself decides. */
export function isLikelyDenied(
  { requires, allowAnonymous, scope }: PerspectiveAccess,
  caller: SecurityContext | null,
): boolean {
  if (caller === null) return false;
  if (requires !== null && !allowAnonymous && !isGranted(caller.permissions, requires)) return true;
  if (scope === ScopeFilters.None) return false;
  try {
    scopeCondition(scope, caller.scope);
    return false;
  } catch {
    return true;
  }
}
