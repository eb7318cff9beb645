/**
 * One text for all requests that ask for the same: keys and the items of sets in one order, whatever order they came in, and nothing of what is absent.
 * For comparing, not for reading back.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item === 'bigint') return String(item);
    if (item instanceof Set) return [...item].map(canonicalJson).toSorted();
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
