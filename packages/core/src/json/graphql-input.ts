/**
 * What generated code calls to make of a GraphQL input what a reader takes. The two differ where GraphQL's types are weaker: it
 * cannot tell a missing value from null, takes one item for a list of one, and names the arm of a union by a key.
 * Whatever has the wrong shape is left as it is: the reader says what is wrong with it.
 */
import type { Issues } from './issues.js';
import { isObject } from './shapes.js';

export type PrepareInput = (value: unknown, issues: Issues) => unknown;

/** For a property that may be left out but not be null: null is what GraphQL clients send to leave it out. */
export function dropNull(value: Record<string, unknown>, key: string): void {
  if (value[key] === null) delete value[key];
}

/** For a property that may be null but not be left out: GraphQL lets callers leave out what may be null. */
export function nullWhenMissing(value: Record<string, unknown>, key: string): void {
  if (!Object.hasOwn(value, key)) value[key] = null;
}

/** Prepares what stands at `key`, when something does. */
export function prepareAt(value: Record<string, unknown>, key: string, issues: Issues, prepare: PrepareInput): void {
  const item = Object.hasOwn(value, key) ? value[key] : null;
  if (item !== undefined && item !== null) value[key] = issues.under(key, issues.count, prepare(item, issues));
}

/** A list, or the one item of a list of one; `prepare` is for the items. */
export function prepareList(value: unknown, issues: Issues, prepare: PrepareInput | null): unknown {
  const list = Array.isArray(value) ? value : [value];
  if (prepare === null) return list;
  for (let i = 0; i < list.length && !issues.full; i++) {
    const item: unknown = list[i];
    if (item !== null) list[i] = issues.under(i, issues.count, prepare(item, issues));
  }
  return list;
}

/** The arm of a tagged union: what its tag is, and how its value is prepared. */
export interface InputArm {
  readonly tag: string | number | boolean;
  readonly prepare: PrepareInput | null;
}

/** `{ card: { number: '…' } }` becomes `{ kind: 'card', number: '…' }`. */
export function prepareOneOf(
  value: unknown,
  issues: Issues,
  tagName: string,
  arms: Readonly<Record<string, InputArm>>,
): unknown {
  const [key, ...others] = isObject(value) ? Object.keys(value).filter((name) => value[name] !== null) : [];
  const arm = key !== undefined && Object.hasOwn(arms, key) ? arms[key] : undefined;
  if (!isObject(value) || key === undefined || arm === undefined || others.length > 0) {
    issues.add(null, `must have exactly one of the keys ${Object.keys(arms).join(', ')}`);
    return value;
  }
  const given = value[key];
  const prepared = arm.prepare === null ? given : arm.prepare(given, issues);
  if (!isObject(prepared)) {
    issues.expected(key, prepared, 'an object');
    return value;
  }
  prepared[tagName] ??= arm.tag;
  if (prepared[tagName] !== arm.tag) issues.add(tagName, `must be ${JSON.stringify(arm.tag)}`);
  return prepared;
}
