/** A value that matches a JSON Schema of the service's OpenAPI document. `resolve` finds the schema of a `$ref`. */
export function fromJsonSchema(schema, values, resolve, name = '') {
  const { random } = values;
  if (schema.$ref !== undefined) return fromJsonSchema(resolve(schema.$ref), values, resolve, name);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return random.pick(schema.enum);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) return fromJsonSchema(random.pick(choices), values, resolve, name);
  switch (Array.isArray(schema.type) ? random.pick(schema.type) : schema.type) {
    case 'object':
      return objectOf(schema, values, resolve);
    case 'array':
      return arrayOf(schema, values, resolve, name);
    case 'string':
      return stringOf(schema, values, name);
    case 'integer':
    case 'number':
      return values.number(name, schema.minimum, schema.maximum);
    case 'boolean':
      return random.chance(0.5);
    default:
      return null;
  }
}

function objectOf({ properties = {}, required = [] }, values, resolve) {
  const entries = Object.entries(properties).filter(([key]) => required.includes(key) || values.random.chance(0.5));
  return Object.fromEntries(entries.map(([key, schema]) => [key, fromJsonSchema(schema, values, resolve, key)]));
}

function arrayOf({ items = {}, minItems = 0, maxItems = 1000 }, values, resolve, name) {
  const { random } = values;
  const length = random.chance(0.01)
    ? Math.min(maxItems, 60)
    : random.between(minItems, Math.min(maxItems, minItems + 2));
  return Array.from({ length }, () => fromJsonSchema(items, values, resolve, name));
}

function stringOf({ format, minLength, maxLength }, values, name) {
  if (format === 'uuid') return name === 'afterEvent' ? values.event() : values.id(name);
  if (format === 'decimal') return values.decimal();
  if (format === 'date-time') return values.date();
  return name === 'after' ? values.pageToken() : values.text(name, minLength, maxLength);
}
