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
  // A conversion to an integer must not round: 1.5 is an error.
  if (type === 'integer' && typeof value === 'string' && /^\d{1,15}$/.test(value)) return Number(value);
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}
