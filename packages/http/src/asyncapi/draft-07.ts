/**
 * Schemas of OpenAPI 3.1, which are JSON Schema 2020-12, as those of AsyncAPI 3.0, which are draft 07. Its official parser knows no later draft
 * (decision 0125).
 */
import type { JsonSchema, SchemaObject } from '../openapi/index.js';

/** The keywords of draft 07, and those of the generator that AsyncAPI has in another form. */
interface Draft07 extends Omit<SchemaObject, 'items' | 'prefixItems'> {
  readonly items?: JsonSchema | readonly JsonSchema[];
  readonly additionalItems?: JsonSchema;
  readonly allOf?: readonly JsonSchema[];
  readonly discriminator?: unknown;
}

/** Converts a schema. `renamed` returns the reference in the new document for each reference. */
export function draft07(schema: JsonSchema, renamed: (reference: string) => string): JsonSchema {
  if (typeof schema === 'boolean') return schema;
  // In a draft 07 schema, everything next to a reference is ignored. OpenAPI's discriminator only repeats what `oneOf` says.
  const { $ref, items, prefixItems, discriminator: _, ...rest } = schema as SchemaObject & Draft07;
  const convert = (part: JsonSchema): JsonSchema => draft07(part, renamed);
  const keywords: Draft07 = {
    ...rest,
    ...(rest.properties !== undefined && { properties: mapValues(rest.properties, convert) }),
    ...(rest.additionalProperties !== undefined && { additionalProperties: convert(rest.additionalProperties) }),
    ...(rest.anyOf !== undefined && { anyOf: rest.anyOf.map(convert) }),
    ...(rest.oneOf !== undefined && { oneOf: rest.oneOf.map(convert) }),
    ...(prefixItems === undefined
      ? items !== undefined && { items: convert(items) }
      : {
          items: prefixItems.map(convert),
          additionalItems: items === undefined ? true : convert(items),
        }),
  };
  if ($ref === undefined) return keywords as JsonSchema;
  const reference = { $ref: renamed($ref) };
  return Object.keys(keywords).length === 0 ? reference : ({ ...keywords, allOf: [reference] } as JsonSchema);
}

function mapValues<T>(values: Readonly<Record<string, T>>, map: (value: T) => T): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));
}
