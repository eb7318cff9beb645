import type { Location } from '../locations.js';

/** In the order of places: what is met later is the one that is told to change. */
export function byPlace(a: { readonly at: Location }, b: { readonly at: Location }): number {
  return compareTexts(a.at.file, b.at.file) || a.at.line - b.at.line || a.at.column - b.at.column;
}

/** Not by locale: the order is the same on every machine. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
