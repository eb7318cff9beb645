import type { Issue } from '@svc/core';
import { readPage, type FilterText, type ListRequest, type PageNumbers } from '@svc/core/hosting';

export type ListQuery = ListRequest & PageNumbers;

const filterName = /^filter\[([^[\]]+)\](?:\[([^[\]]+)\])?$/;

/** Reads `?page&pageSize&sort&after&filter[status]=open&filter[placedAt][gte]=…`; an unknown parameter is an issue. */
export function readListQuery(query: Readonly<Record<string, unknown>>): ListQuery {
  const issues: Issue[] = [];
  const text = (name: string): string | null => {
    const value = query[name];
    if (value === undefined || typeof value === 'string') return value ?? null;
    issues.push({ pointer: `/${name}`, detail: 'must occur only once' });
    return null;
  };
  const sort = text('sort');
  const after = text('after');
  const numbers = readPage(numberIn(query['page']), numberIn(query['pageSize']), after, issues);
  const filters: FilterText[] = [];
  for (const [name, value] of Object.entries(query)) {
    if (plainNames.has(name)) continue;
    const [, property, operator = 'eq'] = filterName.exec(name) ?? [];
    if (property === undefined) issues.push({ pointer: pointerTo(name), detail: 'is not a known parameter' });
    else {
      const values = (Array.isArray(value) ? value : [value]) as readonly string[];
      filters.push({ property, operator, values, pointer: pointerTo(name) });
    }
  }
  return { ...numbers, filters, sort, after, issues };
}

/** The parameters that a query for one model does not have. */
export function unknownParameters(query: Readonly<Record<string, unknown>>): readonly Issue[] {
  return Object.keys(query)
    .filter((name) => name !== 'afterEvent')
    .map((name) => ({ pointer: pointerTo(name), detail: 'is not a known parameter' }));
}

const plainNames: ReadonlySet<string> = new Set(['page', 'pageSize', 'sort', 'after', 'afterEvent']);

function pointerTo(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** NaN if the text is not a plain number. */
function numberIn(text: unknown): number | undefined {
  if (text === undefined) return undefined;
  return typeof text === 'string' && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : NaN;
}
