import { longestDecimal } from '@svc/core/json';
import { mostAlternatives } from '@svc/core/hosting';
import { keyColumn, longestIndexedText, type IndexedType, type PerspectiveColumn } from '@svc/core/storage';
import type { Parameter, SchemaObject } from './openapi-types.js';

const schemas: Readonly<Record<IndexedType, SchemaObject>> = {
  text: { type: 'string', maxLength: longestIndexedText },
  integer: { type: 'integer' },
  number: { type: 'number' },
  decimal: { type: 'string', format: 'decimal', maxLength: longestDecimal },
  boolean: { type: 'boolean' },
  timestamp: { type: 'string', format: 'date-time' },
};

const ranges = { gt: 'above', gte: 'at or above', lt: 'below', lte: 'at or below' } as const;

/** What a list can be asked for beside its page: an order, a place to go on from, and filters by the key and the indexed properties. */
export function listParameters(columns: readonly PerspectiveColumn[]): readonly Parameter[] {
  const all: readonly PerspectiveColumn[] = [{ name: keyColumn, type: 'text' }, ...columns];
  const sorts = all.flatMap(({ name }) => [name, `-${name}`]);
  return [
    query('sort', { type: 'string', enum: sorts, default: keyColumn }, 'What to sort by; with - the other way round.'),
    query('after', { type: 'string' }, 'Where to go on: what an earlier page of the same list gave as next.'),
    ...all.flatMap(filtersBy),
  ];
}

function filtersBy({ name, type }: PerspectiveColumn): readonly Parameter[] {
  const own = Object.entries(ranges).map(([operator, words]) =>
    query(`filter[${name}][${operator}]`, schemas[type], `Only those whose ${name} is ${words} this.`),
  );
  const several = { type: 'array', items: schemas[type], maxItems: mostAlternatives };
  return [
    query(`filter[${name}]`, schemas[type], `Only those whose ${name} is this.`),
    ...own,
    query(`filter[${name}][in]`, several, `Only those whose ${name} is one of these; once for each.`),
  ];
}

function query(name: string, schema: SchemaObject, description: string): Parameter {
  return { name, in: 'query', description, schema };
}
