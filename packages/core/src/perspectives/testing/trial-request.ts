import type { FilterText, ListRequest } from '../read/list-request.js';

/** Returns a request for the first ten models, with overrides. */
export function listRequest(fields: Partial<ListRequest> = {}): ListRequest {
  return { offset: 0, limit: 10, filters: [], sort: null, after: null, issues: [], ...fields };
}

export function filterBy(property: string, operator: string, ...values: readonly string[]): FilterText {
  return { property, operator, values, pointer: `/filter/${property}` };
}
