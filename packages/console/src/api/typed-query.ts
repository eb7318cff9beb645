import type { TObject } from 'typebox';

/** The values of a query string with the types of their schemas. A text that is none of its type stays a text, which validation rejects. */
export function typedQuery(
  schema: TObject,
  query: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, typed(schema, name, value)]));
}

function typed({ properties }: TObject, name: string, value: unknown): unknown {
  const { type } = (Object.hasOwn(properties, name) ? properties[name] : {}) as { readonly type?: string };
  // A conversion to an integer must not round, as 1.5, or accept other notations, as 1e1.
  const number = Number(value);
  if (type === 'integer' && Number.isSafeInteger(number) && String(number) === value) return number;
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}
