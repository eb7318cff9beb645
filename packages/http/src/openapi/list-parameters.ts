import { longestDecimal } from '@svc/core/json';
import { mostAlternatives } from '@svc/core/hosting';
import { keyColumn, longestIndexedText, type IndexedType, type PerspectiveColumn } from '@svc/core/storage';
import type { Parameter, SchemaObject } from './openapi-types.js';

/** Indexes are limited in bytes, so the limit counts UTF-16 code units; `maxLength` counts characters. */
export const indexedText: SchemaObject = {
  type: 'string',
  maxLength: longestIndexedText,
  description: 'A character beyond U+FFFF, such as an emoji, counts as two.',
};

const schemas: Readonly<Record<IndexedType, SchemaObject>> = {
  text: indexedText,
  integer: { type: 'integer' },
  number: { type: 'number' },
  decimal: {
    type: 'string',
    format: 'decimal',
    pattern: '^-?(0|[1-9][0-9]*)(\\.[0-9]+)?$',
    maxLength: longestDecimal,
  },
  boolean: { type: 'boolean' },
  timestamp: { type: 'string', format: 'date-time' },
};

const ranges = { gt: 'above', gte: 'at or above', lt: 'below', lte: 'at or below' } as const;

/** The parameters of a list in addition to its page: sort order, continuation, and filters by the key and the indexed properties. */
export function listParameters(columns: readonly PerspectiveColumn[]): readonly Parameter[] {
  const all: readonly PerspectiveColumn[] = [{ name: keyColumn, type: 'text' }, ...columns];
  const sorts = all.flatMap(({ name }) => [name, `-${name}`]);
  return [
    query(
      'sort',
      { type: 'string', enum: sorts, default: keyColumn },
      'The property to sort by; - for descending order.',
    ),
    query('after', { type: 'string' }, 'Continues a list: the next of an earlier page.'),
    ...all.flatMap(filtersBy),
  ];
}

function filtersBy({ name, type }: PerspectiveColumn): readonly Parameter[] {
  const own = Object.entries(ranges).map(([operator, words]) =>
    query(`filter[${name}][${operator}]`, schemas[type], `Selects models whose ${name} is ${words} this value.`),
  );
  const several = { type: 'array', items: schemas[type], maxItems: mostAlternatives };
  return [
    query(`filter[${name}]`, schemas[type], `Selects models whose ${name} is this value.`),
    query(`filter[${name}][eq]`, schemas[type], `The same as filter[${name}].`),
    ...own,
    query(
      `filter[${name}][in]`,
      several,
      `Selects models whose ${name} is one of these values; repeat the parameter for each.`,
    ),
  ];
}

function query(name: string, schema: SchemaObject, description: string): Parameter {
  return { name, in: 'query', description, schema };
}
