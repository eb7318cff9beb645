/** Keys of models that are ids of streams. Callers may write a UUID in upper case; stored ids are in lower case. */
import { keyColumn } from '../../storage/index.js';
import type { FilterText } from './list-request.js';

const upperOrLower = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

export function streamKey(text: string): string {
  return upperOrLower.test(text) ? text.toLowerCase() : text;
}

/** The same filters, with stored keys in those by key. */
export function withStreamKeys(filters: readonly FilterText[]): readonly FilterText[] {
  return filters.map((filter) =>
    filter.property === keyColumn ? { ...filter, values: filter.values.map(streamKey) } : filter,
  );
}
