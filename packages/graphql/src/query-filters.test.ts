import type { Issue } from '@svc/core';
import { describe, expect, it } from 'vitest';
import { readFilters } from './query-filters.js';

function read(filter: unknown): { conditions: unknown; issues: readonly Issue[] } {
  const issues: Issue[] = [];
  const conditions = readFilters(filter, issues).map(({ property, operator, values }) => [property, operator, values]);
  return { conditions, issues };
}

describe('a filter', () => {
  it('has one value for each operator, and several for "in"', () => {
    expect(read({ status: { eq: 'open' }, pieces: { gte: 3, in: [4, 5] }, key: { in: 'a' } })).toEqual({
      conditions: [
        ['status', 'eq', ['open']],
        ['pieces', 'gte', ['3']],
        ['pieces', 'in', ['4', '5']],
        ['key', 'in', ['a']],
      ],
      issues: [],
    });
  });

  it.each([[[]], [['1']], [['1', '2']], [[[]]]])('rejects the list %j for an operator with one value', (list) => {
    expect(read({ paidAmount: { gte: list } })).toEqual({
      conditions: [],
      issues: [{ pointer: '/filter/paidAmount/gte', detail: 'must be one value, not a list' }],
    });
  });

  it('rejects values that are objects, and lists of lists', () => {
    expect(read({ status: { eq: {} }, key: { in: [['a']] } }).issues).toEqual([
      { pointer: '/filter/status/eq', detail: 'must be a plain value' },
      { pointer: '/filter/key/in', detail: 'must be a plain value' },
    ]);
  });
});
