/** What can be a name in a GraphQL schema. */
import { scalarDescriptions } from './schema-model.js';

const nameSyntax = /^[_A-Za-z][_0-9A-Za-z]*$/;

export function isGraphQLName(name: string): boolean {
  return nameSyntax.test(name) && !name.startsWith('__');
}

/** Names of types that every schema has. */
export const reservedTypeNames: ReadonlySet<string> = new Set([
  'Boolean',
  'Float',
  'ID',
  'Int',
  'Mutation',
  'Query',
  'String',
  'Subscription',
  ...Object.keys(scalarDescriptions),
]);

const notEnumValues: ReadonlySet<unknown> = new Set(['true', 'false', 'null']);

export function isEnumValue(value: unknown): value is string {
  return typeof value === 'string' && isGraphQLName(value) && !notEnumValues.has(value);
}

/** The key for a value of a tag: `credit-card` → `creditCard`, `1` → `_1`. */
export function armKey(value: string | number | boolean): string {
  const text = String(value);
  if (isGraphQLName(text)) return text;
  const words = text.split(/[^0-9A-Za-z]+/).filter((word) => word !== '');
  const joined = words.map((word, i) => (i === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join('');
  return /^[0-9]/.test(joined) || joined === '' ? `_${joined}` : joined;
}
