import type { NamedType, TypeModel } from '../model/index.js';

/** Finds named types by id, and which of them must be read or written. */
export class TypeIndex {
  readonly find: (id: string) => NamedType | undefined;

  constructor(find: (id: string) => NamedType | undefined) {
    this.find = find;
  }

  static of(types: readonly NamedType[]): TypeIndex {
    const byId = new Map(types.map((type) => [type.id, type]));
    return new TypeIndex((id) => byId.get(id));
  }

  get(id: string): NamedType {
    const type = this.find(id);
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
    const add = (id: string): void => void found.add(id);
    for (const root of roots) forEachRef(root, add);
    // A set that grows while it is walked is walked to its end.
    for (const id of found) forEachRef(this.get(id).type, add);
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

/** Tells the references in a type, not looking through them. */
function forEachRef(type: TypeModel, tell: (id: string) => void): void {
  switch (type.kind) {
    case 'ref':
      tell(type.id);
      break;
    case 'nullable':
      forEachRef(type.type, tell);
      break;
    case 'array':
    case 'set':
      forEachRef(type.items, tell);
      break;
    case 'record':
      forEachRef(type.values, tell);
      break;
    case 'tuple':
      for (const item of type.items) forEachRef(item, tell);
      break;
    case 'union':
      for (const arm of type.arms) forEachRef(arm, tell);
      break;
    case 'tagged':
      for (const arm of type.arms) forEachRef(arm.type, tell);
      break;
    case 'object':
      for (const property of type.properties) forEachRef(property.type, tell);
  }
}
