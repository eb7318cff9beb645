import { ScopeFilters } from '../../security/index.js';
import { ModelOwners } from '../model-owner.js';
import type { NamedPerspective } from '../perspective.js';

type TrialFields = Pick<NamedPerspective, 'perspective'> & Partial<NamedPerspective>;

/** Returns a perspective whose models have no owner, with defaults for the fields that a test omits. */
export function namedPerspective(fields: TrialFields): NamedPerspective {
  return {
    name: 'Notes',
    events: [],
    columns: [],
    owners: new ModelOwners(ScopeFilters.None),
    readModel: (value) => value as object,
    writeModel: JSON.stringify,
    ...fields,
  };
}
