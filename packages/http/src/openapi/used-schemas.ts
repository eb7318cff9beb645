import type { JsonSchema } from './openapi-types.js';

const reference = /"#\/components\/schemas\/([^"]+)"/g;

/** The schemas that `paths` uses: others are not for callers. */
export function usedSchemas(
  schemas: Readonly<Record<string, JsonSchema>>,
  paths: object,
): Readonly<Record<string, JsonSchema>> {
  const found = new Set(namesIn(paths));
  // Iterating over a set includes the entries that are added during the iteration.
  for (const name of found)
    if (Object.hasOwn(schemas, name)) for (const next of namesIn(schemas[name])) found.add(next);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => found.has(name)));
}

function namesIn(value: unknown): string[] {
  return [...JSON.stringify(value).matchAll(reference)].map(([, name]) => name!);
}
