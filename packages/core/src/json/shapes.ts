import type { Issues } from './issues.js';

/** The fields of `T`, writable for a reader. */
export type Draft<T> = { -readonly [K in keyof T]: T[K] };

/** Whether a key could reach an object's prototype. Such keys are rejected wherever a caller chooses the keys. */
export function isPoisonKey(key: string): boolean {
  return key === '__proto__' || key === 'constructor';
}

/** Whether a value is a JSON object: not null, and not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Removes the properties of a JSON object that are not in `known`. */
export function removeUnknown(value: Record<string, unknown>, known: readonly string[]): void {
  for (const key of Object.keys(value)) if (!known.includes(key)) delete value[key];
}

/** The number of properties of a JSON object. */
export function countKeys(value: object): number {
  let count = 0;
  // oxlint-disable-next-line guard-for-in -- JSON objects inherit nothing enumerable, and for-in is the fast way to count
  for (const _ in value) count++;
  return count;
}

/** The own value of a property. Needed for names of `Object.prototype`, which a plain read finds on every object. */
export function ownValue(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}

/** Reads any JSON unchanged. Rejects keys that could reach a prototype, and too deep nesting. */
export function readJson(value: unknown, issues: Issues): unknown {
  if (value === undefined) issues.expected(null, value, 'JSON');
  if (typeof value !== 'object' || value === null) return value;
  if (!issues.enter()) return undefined;
  const isArray = Array.isArray(value);
  for (const [key, item] of Object.entries(value)) {
    if (isPoisonKey(key) && !isArray) {
      issues.add(key, 'is not allowed as a key');
      continue;
    }
    issues.under(key, issues.count, readJson(item, issues));
    if (issues.full) break;
  }
  issues.leave();
  return value;
}

/** The type of a field, without undefined. */
export type Field<T, K extends keyof T> = Exclude<T[K], undefined>;
