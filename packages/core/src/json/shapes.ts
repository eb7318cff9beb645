import type { Issues } from './issues.js';

/** The fields of `T` while a reader fills them. */
export type Draft<T> = { -readonly [K in keyof T]: T[K] };

/** Keys that could reach an object's prototype; they are refused wherever a caller chooses the keys. */
export function isPoisonKey(key: string): boolean {
  return key === '__proto__' || key === 'constructor';
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function countKeys(value: object): number {
  let count = 0;
  // oxlint-disable-next-line guard-for-in -- JSON objects inherit nothing enumerable, and for-in is the fast way to count
  for (const _ in value) count++;
  return count;
}

/** A property that shares its name with one of `Object.prototype`'s, which a plain read would find on every object. */
export function ownValue(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}

/** Any JSON: kept as it is, but for keys that could reach a prototype and for nesting without bound. */
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

/** The type a field has when it is there. */
export type Field<T, K extends keyof T> = Exclude<T[K], undefined>;
