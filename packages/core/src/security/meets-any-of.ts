import type { EnvelopeScope } from '../messages/index.js';
import type { ScopeCondition } from './scope-filters.js';

/** Whether a row belongs to the user of a condition, or one of the condition's principals may see it. */
export function meetsAnyOf(scope: EnvelopeScope | null, anyOf: ScopeCondition['anyOf']): boolean {
  if (anyOf === null) return true;
  if (anyOf.userId !== undefined && scope?.['userId'] === anyOf.userId) return true;
  const allowed = scope?.['allowedPrincipals']?.split(',') ?? [];
  return anyOf.principals.some((principal) => allowed.includes(principal));
}
