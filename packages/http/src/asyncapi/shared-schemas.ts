import type { ServiceRegistry } from '@svc/core';
import type { JsonSchema } from '../openapi/index.js';
import { draft07 } from './draft-07.js';

/** The generated schemas of a registry. */
export type GeneratedSchemas = ServiceRegistry<never>['openapi'];

const prefix = '#/components/schemas/';

/** Collects the schemas that a document refers to, from one or several registries. */
export class SharedSchemas {
  readonly #schemas = new Map<string, JsonSchema>();
  /** The names in the document of the components of each registry. */
  readonly #names = new Map<GeneratedSchemas, Map<string, string>>();

  /** The schema of a registry as it is in the document, which then has everything that it refers to. */
  use(schema: JsonSchema, source: GeneratedSchemas): JsonSchema {
    return draft07(schema, (reference) => `${prefix}${this.#nameOf(reference.slice(prefix.length), source)}`);
  }

  /** Adds a schema that no registry has, and returns the reference to it. */
  add(name: string, schema: JsonSchema): JsonSchema {
    const own = this.#unused(name);
    this.#schemas.set(own, schema);
    return { $ref: prefix + own };
  }

  get all(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries([...this.#schemas].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  #nameOf(name: string, source: GeneratedSchemas): string {
    const names = this.#names.get(source) ?? new Map<string, string>();
    this.#names.set(source, names);
    const known = names.get(name);
    if (known !== undefined) return known;
    const own = this.#unused(name);
    names.set(name, own);
    // Reserved before it is converted: a schema may refer to itself.
    this.#schemas.set(own, true);
    const schemas = source.components.schemas as Readonly<Record<string, JsonSchema>>;
    this.#schemas.set(own, this.use(schemas[name] ?? true, source));
    return own;
  }

  /** Two registries can have different types with one name. */
  #unused(name: string): string {
    let found = name;
    for (let i = 2; this.#schemas.has(found); i++) found = `${name}_${i}`;
    return found;
  }
}
