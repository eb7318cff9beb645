/**
 * Generated code converts GraphQL inputs for readers with these functions. GraphQL does not distinguish a missing value from null, accepts an
 * item as a list of one, and selects the arm of a union by a key. Invalid values stay unchanged: the reader reports them.
 */
import type { Issues } from './issues.js';
import { isObject } from './shapes.js';

/** Converts a GraphQL input to the value that a reader expects. */
export type PrepareInput = (value: unknown, issues: Issues) => unknown;

/** Removes a null from a property that is optional but not nullable: GraphQL clients send null to omit it. */
export function dropNull(value: Record<string, unknown>, key: string): void {
  if (value[key] === null) delete value[key];
}

/** Adds a null to a property that is nullable but not optional: GraphQL clients may omit nullable values. */
export function nullWhenMissing(value: Record<string, unknown>, key: string): void {
  if (!Object.hasOwn(value, key)) value[key] = null;
}

/** Converts the value of a property, if it has one. */
export function prepareAt(value: Record<string, unknown>, key: string, issues: Issues, prepare: PrepareInput): void {
  const item = Object.hasOwn(value, key) ? value[key] : null;
  if (item !== undefined && item !== null) value[key] = issues.under(key, issues.count, prepare(item, issues));
}

/** Converts a list, or a single item to a list of one; `prepare` converts the items. */
export function prepareList(value: unknown, issues: Issues, prepare: PrepareInput | null): unknown {
  const list = Array.isArray(value) ? value : [value];
  if (prepare === null) return list;
  for (let i = 0; i < list.length && !issues.full; i++) {
    const item: unknown = list[i];
    if (item !== null) list[i] = issues.under(i, issues.count, prepare(item, issues));
  }
  return list;
}

/** An arm of a tagged union: its tag, and how its value is converted. */
export interface InputArm {
  readonly tag: string | number | boolean;
  readonly prepare: PrepareInput | null;
}

/** Converts the input of a tagged union: `{ card: { number: '…' } }` becomes `{ kind: 'card', number: '…' }`. */
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
