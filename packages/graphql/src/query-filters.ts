import type { Issue } from '@svc/core';
import type { FilterText } from '@svc/core/hosting';
import { isObject } from '@svc/core/json';

/**
 * Converts `{ status: { eq: "open" } }` to the conditions that REST reads from `filter[status]=open`. A variable arrives unchecked, so its shape
 * is checked here; the lens checks whether it fits the perspective.
 */
export function readFilters(filter: unknown, issues: Issue[]): FilterText[] {
  if (filter === undefined || filter === null) return [];
  if (!isObject(filter)) return addIssue('/filter', 'must be an object', issues);
  return Object.entries(filter).flatMap(([property, condition]) => {
    const pointer = `/filter/${escaped(property)}`;
    if (condition === null) return [];
    if (!isObject(condition)) return addIssue(pointer, 'must be an object', issues);
    return Object.entries(condition).flatMap(([operator, value]) => {
      const place = `${pointer}/${escaped(operator)}`;
      if (value === null) return [];
      // A variable may be an empty list, which is not a value to compare with.
      if (Array.isArray(value) && operator !== 'in') return addIssue(place, 'must be one value, not a list', issues);
      const values = (Array.isArray(value) ? (value as unknown[]) : [value]).map(textOf);
      const known = values.filter((text) => text !== undefined);
      if (known.length < values.length) return addIssue(place, 'must be a plain value', issues);
      return [{ property, operator, values: known, pointer: place }];
    });
  });
}

function textOf(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'boolean':
      return String(value);
    default:
      return undefined;
  }
}

function addIssue(pointer: string, detail: string, issues: Issue[]): [] {
  issues.push({ pointer, detail });
  return [];
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
