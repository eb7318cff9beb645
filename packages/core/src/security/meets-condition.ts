import type { EnvelopeScope } from '../messages/index.js';
import type { ScopeCondition } from './scope-filters.js';

/** Whether the scope of a row meets a condition. A row without a scope meets none. */
export function meetsCondition(scope: EnvelopeScope | null, { equal, anyOf }: ScopeCondition): boolean {
  if (scope === null) return false;
  return Object.entries(equal).every(([name, value]) => scope[name] === value) && meetsAnyOf(scope, anyOf);
}

/** Whether a row belongs to the user of a condition, or one of the condition's principals may see it. */
export function meetsAnyOf(scope: EnvelopeScope | null, anyOf: ScopeCondition['anyOf']): boolean {
  if (anyOf === null) return true;
  if (anyOf.userId !== undefined && scope?.['userId'] === anyOf.userId) return true;
  const allowed = scope?.['allowedPrincipals']?.split(',') ?? [];
  return anyOf.principals.some((principal) => allowed.includes(principal));
}
