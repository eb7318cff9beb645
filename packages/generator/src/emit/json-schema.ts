import type { NamedType, ObjectType, PropertyModel, TypeModel } from '../model/index.js';
import { decimalSchema } from './decimal-schema.js';
import type { SchemaForm, JsonSchema } from './schema-types.js';

/** Finds the name of a component by the id of its type. */
export type ComponentNames = (id: string) => string | undefined;

/** The writers of all forms. */
export type Schemas = Readonly<Record<SchemaForm, SchemaWriter>>;

/** Converts types to JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export class SchemaWriter {
  readonly #names: ComponentNames;
  readonly #form: SchemaForm;

  constructor(names: ComponentNames, form: SchemaForm) {
    this.#names = names;
    this.#form = form;
  }

  component({ type, description }: NamedType): JsonSchema {
    return described(this.of(type), description);
  }

  ref(id: string): JsonSchema {
    return { $ref: `#/components/schemas/${this.#names(id)}` };
  }

  of(type: TypeModel): JsonSchema {
    switch (type.kind) {
      case 'string':
        if (type.format === 'decimal') return decimalSchema(type, this.#form);
        return {
          type: 'string',
          ...(type.format === 'uuid' && { format: 'uuid' }),
          ...(type.format?.startsWith('format:') && { format: type.format.slice('format:'.length) }),
          ...(type.secret === true && { format: 'password', writeOnly: true }),
          ...(type.minLength !== undefined && { minLength: type.minLength }),
          ...(type.maxLength !== undefined && { maxLength: type.maxLength }),
          ...(type.pattern !== undefined && { pattern: type.pattern }),
        };
      case 'number':
        return {
          type: type.integer ? 'integer' : 'number',
          ...(type.min !== undefined && { minimum: type.min }),
          ...(type.max !== undefined && { maximum: type.max }),
        };
      case 'boolean':
        return { type: 'boolean' };
      case 'date':
        return { type: 'string', format: 'date-time' };
      case 'json':
        return {};
      case 'null':
        return { type: 'null' };
      case 'literal':
        return type.values.length === 1 ? { const: type.values[0] } : { enum: type.values };
      case 'nullable':
        return { anyOf: [this.of(type.type), { type: 'null' }] };
      case 'array':
      case 'set':
        return {
          type: 'array',
          items: this.of(type.items),
          ...(type.kind === 'set' && { uniqueItems: true }),
          ...(type.minItems !== undefined && { minItems: type.minItems }),
          ...(type.maxItems !== undefined && { maxItems: type.maxItems }),
        };
      case 'tuple': {
        const { length } = type.items;
        return { type: 'array', prefixItems: type.items.map((item) => this.of(item)), items: false, minItems: length };
      }
      case 'record':
        return { type: 'object', additionalProperties: this.of(type.values) };
      case 'object':
        return this.#object(type);
      case 'union':
        return { anyOf: type.arms.map((arm) => this.of(arm)) };
      case 'tagged':
        return { oneOf: distinct(type.arms.map((arm) => this.of(arm.type))), ...this.#discriminator(type) };
      case 'ref':
        return this.ref(type.id);
    }
  }

  #object({ properties, isLenient }: ObjectType): JsonSchema {
    const required = properties.filter((property) => property.presence === 'required').map(({ name }) => name);
    return {
      type: 'object',
      ...(required.length > 0 && { required }),
      properties: Object.fromEntries(
        properties.map((property) => [property.name, described(this.#property(property), property.description)]),
      ),
      additionalProperties: isLenient === true,
    };
  }

  /** A message has personal values as they are stored. Only a caller needs to know a default, and not that of a constant. */
  #property({ type, personal, default: value }: PropertyModel): JsonSchema {
    if (personal !== undefined && this.#form === 'message') return encrypted;
    const isConstant = type.kind === 'literal' && type.values.length === 1;
    const hasDefault = value !== undefined && this.#form === 'request' && !isConstant;
    return { ...this.of(type), ...(hasDefault && { default: value }) };
  }

  /** OpenAPI's discriminator supports only string tags and named arms; for others the `oneOf` is enough. */
  #discriminator(type: TypeModel & { kind: 'tagged' }): JsonSchema {
    const mapping: [string, string][] = [];
    for (const arm of type.arms) {
      if (typeof arm.value !== 'string' || arm.type.kind !== 'ref') return {};
      mapping.push([arm.value, String(this.ref(arm.type.id)['$ref'])]);
    }
    return { discriminator: { propertyName: type.tag, mapping: Object.fromEntries(mapping) } };
  }
}

const encrypted: JsonSchema = {
  anyOf: [{ type: 'string', pattern: '^svc-personal:1:' }, { type: 'null' }],
  description: 'Personal data, encrypted.',
};

/** Each schema once: an arm may have several tags, and `oneOf` requires that exactly one schema matches. */
function distinct(schemas: readonly JsonSchema[]): readonly JsonSchema[] {
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
}

function described(schema: JsonSchema, description: string | null): JsonSchema {
  if (description === null) return schema;
  const own = schema['description'];
  return { ...schema, description: typeof own === 'string' ? `${description} ${own}` : description };
}
