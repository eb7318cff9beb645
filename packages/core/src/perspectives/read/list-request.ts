/** Validates a caller's request for a list of models. Every issue is reported at once. */
import { ValidationError, type Issue } from '../../errors/index.js';
import { longestDecimal } from '../../json/index.js';
import {
  columnValueOfText,
  keyColumn,
  longestIndexedText,
  sortedByKey,
  type ColumnCondition,
  type IndexedType,
  type Comparison,
  type ModelSort,
  type PerspectiveColumn,
} from '../../storage/index.js';
import type { AskedModels } from './asked-models.js';
import { readPageToken } from './page-token.js';

/** One filter condition as a caller wrote it. */
export interface FilterText {
  readonly property: string;
  readonly operator: string;
  /** One, or for `in` several. */
  readonly values: readonly string[];
  /** Its JSON Pointer, for issues. */
  readonly pointer: string;
}

/** A list of models as a caller requests it, not validated yet. */
export interface ListRequest {
  readonly offset: number;
  readonly limit: number;
  readonly filters: readonly FilterText[];
  /** `placedAt`, or `-placedAt` for descending order. */
  readonly sort: string | null;
  /** The `next` of the previous page. */
  readonly after: string | null;
  /** What the host found wrong with other parameters; reported together with the rest. */
  readonly issues: readonly Issue[];
}

/** The most values of an `in` filter. */
export const mostAlternatives = 100;
const mostFilters = 20;
const operators: ReadonlySet<string> = new Set<Comparison | 'in'>(['eq', 'gt', 'gte', 'lt', 'lte', 'in']);

/** Validates a request; throws a `ValidationError` with every issue. */
export function readListRequest(
  perspective: string,
  columns: readonly PerspectiveColumn[],
  { offset, limit, filters, sort, after, issues: found }: ListRequest,
): AskedModels {
  const issues: Issue[] = [...found];
  const types = columnTypes(columns);
  const where = filters.flatMap((filter) => readFilter(filter, types, issues) ?? []);
  if (filters.length > mostFilters)
    issues.push({ pointer: '/filter', detail: `must have at most ${mostFilters} conditions` });
  const order = readSort(sort, types, issues);
  const place = after === null ? null : readPageToken(perspective, order, where, types, after);
  if (place === undefined) {
    issues.push({ pointer: '/after', detail: 'must be the next of an earlier page of the same list' });
  }
  if (issues.length > 0) throw new ValidationError(issues);
  return { offset, limit, where, sort: order, after: place ?? null };
}

/** The types of the columns that callers can filter and sort by. */
export function columnTypes(columns: readonly PerspectiveColumn[]): ReadonlyMap<string, IndexedType> {
  return new Map([[keyColumn, 'text'], ...columns.map(({ name, type }) => [name, type] as const)]);
}

function readFilter(
  { property, operator, values, pointer }: FilterText,
  types: ReadonlyMap<string, IndexedType>,
  issues: Issue[],
): ColumnCondition | null {
  const type = types.get(property);
  const fail = (detail: string): null => {
    issues.push({ pointer, detail });
    return null;
  };
  if (type === undefined) return fail(`is not a known filter; filter by ${alternatives(types)}`);
  if (!operators.has(operator)) return fail(`must be one of ${[...operators].join(', ')}`);
  if (values.length > (operator === 'in' ? mostAlternatives : 1)) {
    return fail(operator === 'in' ? `must have at most ${mostAlternatives} values` : 'must be one value');
  }
  const read = values.map((text) => columnValueOfText(type, text));
  const known = read.filter((value) => value !== undefined);
  if (known.length < read.length) return fail(expected[type]);
  if (operator === 'in') return { column: property, operator, values: known };
  return { column: property, operator: operator as Comparison, value: known[0]! };
}

const expected: Readonly<Record<IndexedType, string>> = {
  text: `must be a text of at most ${longestIndexedText} characters`,
  integer: 'must be an integer',
  number: 'must be a number',
  decimal: `must be a decimal number such as 12.50, of at most ${longestDecimal} characters`,
  boolean: 'must be true or false',
  timestamp: 'must be a date and time with offset, such as 2026-01-31T12:00:00Z',
};

/** `key, placedAt, or status`: the properties that callers can name. */
function alternatives(types: ReadonlyMap<string, IndexedType>): string {
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(types.keys());
}

function readSort(sort: string | null, types: ReadonlyMap<string, IndexedType>, issues: Issue[]): ModelSort {
  if (sort === null) return sortedByKey;
  const descending = sort.startsWith('-');
  const column = descending ? sort.slice(1) : sort;
  if (!types.has(column)) {
    issues.push({
      pointer: '/sort',
      detail: `is not a known sort property; sort by ${alternatives(types)}; a leading minus sorts in descending order`,
    });
    return sortedByKey;
  }
  return { column, descending };
}
