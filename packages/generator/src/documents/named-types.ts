import type { NamedType, TypeModel } from '../model/index.js';

/** The types of documents while they are collected, with unique names. */
export class NamedTypes {
  readonly all: NamedType[] = [];
  readonly #names = new Set<string>();

  /** Adds a type under a name, or a name as close to it as possible. */
  add(wanted: string, type: TypeModel, description: string | null): TypeModel {
    return this.addLater(wanted, description, () => type);
  }

  /** The same for a type that can contain itself. */
  addLater(wanted: string, description: string | null, make: (own: TypeModel) => TypeModel): TypeModel {
    let name = wanted;
    for (let i = 2; this.#names.has(name); i++) name = `${wanted}${i}`;
    this.#names.add(name);
    const id = `document ${name}`;
    const own: TypeModel = { kind: 'ref', id };
    const at = this.all.length;
    const type = make(own);
    // Before the types that it contains: a reader meets them in this order.
    this.all.splice(at, 0, {
      id,
      name,
      module: null,
      exportName: null,
      isClass: false,
      constructorProperties: [],
      isRecursive: false,
      description,
      type,
    });
    return own;
  }
}

/** The type of a scalar of the schema that no type of the service stands for. */
export function scalarType(name: string): TypeModel {
  switch (name) {
    case 'UUID':
      return { kind: 'string', format: 'uuid' };
    case 'Decimal':
      return { kind: 'string', format: 'decimal' };
    case 'DateTime':
      return { kind: 'date' };
    case 'Boolean':
      return { kind: 'boolean' };
    case 'Int':
    case 'Float':
    case 'SafeInt':
      return { kind: 'number', integer: name !== 'Float' };
    case 'JSON':
      return { kind: 'json' };
    case 'Void':
      return { kind: 'null' };
    default:
      return { kind: 'string' };
  }
}

/** `T | null`, unless the type includes null. */
export function orNull(type: TypeModel): TypeModel {
  return type.kind === 'json' || type.kind === 'null' || type.kind === 'nullable' ? type : { kind: 'nullable', type };
}
