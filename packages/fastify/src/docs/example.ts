import type { JsonSchema, OpenApiDocument } from '../openapi/index.js';

type Schemas = OpenApiDocument['components']['schemas'];

/** An example value of a schema. A type within itself is omitted the second time. */
export function exampleOf(schema: JsonSchema, schemas: Schemas, inside: readonly string[] = []): unknown {
  if (typeof schema === 'boolean') return {};
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
    const target = schemas[name];
    return target === undefined || inside.includes(name) ? null : exampleOf(target, schemas, [...inside, name]);
  }
  const given = [schema.examples?.[0], schema.default, schema.const, schema.enum?.[0]];
  const chosen = given.find((value) => value !== undefined);
  if (chosen !== undefined) return chosen;
  const arm = (schema.anyOf ?? schema.oneOf)?.[0];
  if (arm !== undefined) return exampleOf(arm, schemas, inside);
  if (schema.prefixItems !== undefined) return schema.prefixItems.map((item) => exampleOf(item, schemas, inside));
  switch (schema.type) {
    case 'object':
      return exampleObject(schema.properties ?? {}, schemas, inside);
    case 'array':
      return exampleItems(schema.items ?? true, schemas, inside);
    case 'string':
      return exampleText(schema.format, schema.minLength ?? 0);
    case 'integer':
    case 'number':
      return schema.minimum ?? Math.min(1, schema.maximum ?? 1);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return {};
  }
}

function exampleObject(properties: Schemas, schemas: Schemas, inside: readonly string[]): object {
  const entries = Object.entries(properties).map(([key, value]) => [key, exampleOf(value, schemas, inside)]);
  return Object.fromEntries(entries) as object;
}

function exampleItems(items: JsonSchema, schemas: Schemas, inside: readonly string[]): unknown[] {
  const item = exampleOf(items, schemas, inside);
  return item === null ? [] : [item];
}

const texts: Readonly<Record<string, string>> = {
  uuid: '01912d68-783e-7a03-8467-5661c1243ad4',
  decimal: '12.50',
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
  time: '12:00:00Z',
  duration: 'PT1.5S',
  email: 'ada@example.com',
  uri: 'https://example.com/',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  password: '********',
};

function exampleText(format: string | undefined, minLength: number): string {
  return (texts[format ?? ''] ?? 'text').padEnd(minLength, 't');
}
