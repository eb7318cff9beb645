import type { EnvelopeScope } from '../messages/index.js';
import type { ScopeCondition } from './scope-filters.js';

/** Whether a row with this scope fulfils a condition. A row of which nobody knows whose it is fulfils none. */
export function meetsCondition(scope: EnvelopeScope | null, { equal, anyOf }: ScopeCondition): boolean {
  if (scope === null) return false;
  if (!Object.entries(equal).every(([name, value]) => scope[name] === value)) return false;
  if (anyOf === null || (anyOf.userId !== undefined && scope['userId'] === anyOf.userId)) return true;
  const allowed = scope['allowedPrincipals']?.split(',') ?? [];
  return anyOf.principals.some((principal) => allowed.includes(principal));
}
