import type { Issue } from '../errors/index.js';

/** What callers may ask for when they read models page by page, whatever they come over. */
export const pageBounds = {
  /** Behind the last one nobody looks page by page, and storages need not count that far. */
  page: { usual: 1, most: 1_000_000 },
  pageSize: { usual: 10, most: 100 },
} as const;

/** A number as a caller gave it, or the usual one; what is out of bounds is noted among the issues. */
export function pageNumber(
  name: keyof typeof pageBounds,
  given: number | null | undefined,
  issues: Pick<Issue[], 'push'>,
): number {
  const { usual, most } = pageBounds[name];
  if (given === undefined || given === null) return usual;
  if (!Number.isInteger(given) || given < 1 || given > most) {
    issues.push({ pointer: `/${name}`, detail: `must be a whole number from 1 to ${most}` });
  }
  return given;
}
