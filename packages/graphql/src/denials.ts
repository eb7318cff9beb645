import { AccessDeniedError, ScopeFilters, ServiceError, type SecurityContext } from '@svc/core';
import { isGranted, scopeCondition, type PerspectiveAccess } from '@svc/core/hosting';

/** After this many denied fields, the remaining fields of a request are neither authorized nor executed. */
const mostDenials = 3;

/** Counts the denials of one request, including its batch. Without a limit one request could cause a denial record per field. */
export class Denials {
  #count = 0;
  #turn: Promise<unknown> = Promise.resolve();

  /** Runs a field, or a part of it, and counts a denial. Throws if too many fields were denied before. */
  async counting<T>(run: () => Promise<T>): Promise<T> {
    if (this.#count >= mostDenials) throw new DenialLimitError();
    try {
      return await run();
    } catch (error) {
      if (error instanceof AccessDeniedError) this.#count += 1;
      throw error;
    }
  }

  /** The same, one at a time: fields of a query start together, so no field would see the denial of another. */
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

/** Whether a query will probably be denied. Only for the order of execution: the query itself decides. */
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
