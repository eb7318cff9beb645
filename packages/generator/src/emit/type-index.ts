import type { NamedType, TypeModel } from '../model/index.js';

/** Finds named types by id, and which of them must be read or written. */
export class TypeIndex {
  readonly #byId: ReadonlyMap<string, NamedType>;

  constructor(types: readonly NamedType[]) {
    this.#byId = new Map(types.map((type) => [type.id, type]));
  }

  get(id: string): NamedType {
    const type = this.#byId.get(id);
    if (type === undefined) throw new Error(`The model refers to ${id}, which it does not hold.`);
    return type;
  }

  /** The type a reference leads to when it is read and written in place, as a scalar is; undefined when it has functions of its own. */
  inPlace(type: TypeModel): TypeModel | undefined {
    if (type.kind !== 'ref') return type;
    const target = this.get(type.id).type;
    return isScalar(target) ? target : undefined;
  }

  /** Ids of every named type that can be reached from `roots`, themselves included only when something refers to them. */
  reachable(roots: Iterable<TypeModel>): ReadonlySet<string> {
    const found = new Set<string>();
    const pending = [...roots];
    for (let type = pending.pop(); type !== undefined; type = pending.pop()) {
      for (const id of refsIn(type)) {
        if (found.has(id)) continue;
        found.add(id);
        pending.push(this.get(id).type);
      }
    }
    return found;
  }
}

export function isScalar(type: TypeModel): boolean {
  switch (type.kind) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'date':
    case 'literal':
    case 'null':
      return true;
    default:
      return false;
  }
}

/** The references in a type, not looking through them. */
export function refsIn(type: TypeModel): string[] {
  switch (type.kind) {
    case 'ref':
      return [type.id];
    case 'nullable':
      return refsIn(type.type);
    case 'array':
    case 'set':
      return refsIn(type.items);
    case 'record':
      return refsIn(type.values);
    case 'tuple':
      return type.items.flatMap(refsIn);
    case 'union':
      return type.arms.flatMap(refsIn);
    case 'tagged':
      return type.arms.flatMap((arm) => refsIn(arm.type));
    case 'object':
      return type.properties.flatMap((property) => refsIn(property.type));
    default:
      return [];
  }
}
