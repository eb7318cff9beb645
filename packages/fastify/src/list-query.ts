import { ValidationError, type FilterText, type Issue, type ListRequest } from '@svc/core';

export const usualPageSize = 10;
export const largestPageSize = 100;
/** Behind it nobody looks page by page: `after` goes on from where a page ended, however far that is. */
export const lastPage = 10_000;

export interface ListQuery extends ListRequest {
  readonly page: number;
  readonly pageSize: number;
}

const filterName = /^filter\[([^[\]]+)\](?:\[([^[\]]+)\])?$/;

/** What `?page&pageSize&sort&after&filter[status]=open&filter[placedAt][gte]=…` asks for; a parameter that is not known is an issue. */
export function readListQuery(query: Readonly<Record<string, unknown>>): ListQuery {
  const issues: Issue[] = [];
  const number = (name: string, usual: number, most: number): number => {
    const text = query[name];
    if (text === undefined) return usual;
    const value = typeof text === 'string' && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : Infinity;
    if (value > most) issues.push({ pointer: `/${name}`, detail: `must be a whole number from 1 to ${most}` });
    return value;
  };
  const text = (name: string): string | null => {
    const value = query[name];
    if (value === undefined || typeof value === 'string') return value ?? null;
    issues.push({ pointer: `/${name}`, detail: 'must be there once' });
    return null;
  };
  const page = number('page', 1, lastPage);
  const pageSize = number('pageSize', usualPageSize, largestPageSize);
  const sort = text('sort');
  const after = text('after');
  if (after !== null && query['page'] !== undefined) {
    issues.push({ pointer: '/page', detail: 'must not be there together with after' });
  }
  const filters: FilterText[] = [];
  for (const [name, value] of Object.entries(query)) {
    if (plainNames.has(name)) continue;
    const [, property, operator = 'eq'] = filterName.exec(name) ?? [];
    if (property === undefined) issues.push({ pointer: pointerTo(name), detail: 'is not known' });
    else {
      const values = (Array.isArray(value) ? value : [value]) as readonly string[];
      filters.push({ property, operator, values, pointer: pointerTo(name) });
    }
  }
  if (issues.length > 0) throw new ValidationError(issues);
  return { page, pageSize, offset: after === null ? (page - 1) * pageSize : 0, limit: pageSize, filters, sort, after };
}

const plainNames: ReadonlySet<string> = new Set(['page', 'pageSize', 'sort', 'after']);

function pointerTo(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
