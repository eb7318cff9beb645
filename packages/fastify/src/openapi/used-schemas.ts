import type { JsonSchema } from './openapi-types.js';

const reference = /"#\/components\/schemas\/([^"]+)"/g;

/** The schemas that `paths` leads to: the models of perspectives without a route are nobody's business. */
export function usedSchemas(
  schemas: Readonly<Record<string, JsonSchema>>,
  paths: object,
): Readonly<Record<string, JsonSchema>> {
  const found = new Set(namesIn(paths));
  // A set that grows while it is walked is walked to its end.
  for (const name of found)
    if (Object.hasOwn(schemas, name)) for (const next of namesIn(schemas[name])) found.add(next);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => found.has(name)));
}

function namesIn(value: unknown): string[] {
  return [...JSON.stringify(value).matchAll(reference)].map(([, name]) => name!);
}
