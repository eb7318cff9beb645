import type { Issue } from '@svc/core';
import type { FilterText } from '@svc/core/hosting';
import { isObject } from '@svc/core/json';

/**
 * Makes of `{ status: { eq: "open" } }` the conditions that REST makes of `filter[status]=open`. What was sent in a variable comes as it
 * was sent, so its shape is checked here; whether it fits the perspective, whoever reads the models checks.
 */
export function readFilters(filter: unknown, issues: Issue[]): FilterText[] {
  if (filter === undefined || filter === null) return [];
  if (!isObject(filter)) return refuse('/filter', 'must be an object', issues);
  return Object.entries(filter).flatMap(([property, condition]) => {
    const pointer = `/filter/${escaped(property)}`;
    if (condition === null) return [];
    if (!isObject(condition)) return refuse(pointer, 'must be an object', issues);
    return Object.entries(condition).flatMap(([operator, value]) => {
      const place = `${pointer}/${escaped(operator)}`;
      if (value === null) return [];
      // What came in a variable may be a list of none, which is no value to compare with.
      if (Array.isArray(value) && operator !== 'in') return refuse(place, 'must be one value, not a list', issues);
      const values = (Array.isArray(value) ? (value as unknown[]) : [value]).map(textOf);
      const known = values.filter((text) => text !== undefined);
      if (known.length < values.length) return refuse(place, 'must be a plain value', issues);
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

function refuse(pointer: string, detail: string, issues: Issue[]): [] {
  issues.push({ pointer, detail });
  return [];
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
