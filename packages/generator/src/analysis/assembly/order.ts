import type { Location } from '../locations.js';

/** Sorts by location. Of two conflicting declarations, the later one is reported. */
export function byPlace(a: { readonly at: Location }, b: { readonly at: Location }): number {
  return compareTexts(a.at.file, b.at.file) || a.at.line - b.at.line || a.at.column - b.at.column;
}

/** Not by locale, so that the order is the same on every machine. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
