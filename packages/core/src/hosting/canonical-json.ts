/**
 * Returns the same text for equal values: keys and the items of sets are sorted, and absent properties are omitted. For comparison, not for
 * parsing.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item === 'bigint') return String(item);
    if (item instanceof Set) return [...item].map(canonicalJson).toSorted();
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
