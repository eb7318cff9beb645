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
    if (type === undefined) throw new Error(`The model refers to the type ${id}, which it does not contain.`);
    return type;
  }

  /** The type of a reference that is read and written inline, like a scalar; undefined if it has its own functions. */
  inPlace(type: TypeModel): TypeModel | undefined {
    if (type.kind !== 'ref') return type;
    const target = this.get(type.id).type;
    return isScalar(target) ? target : undefined;
  }

  /** Whether a value of the type can contain a secret. */
  hasSecrets(type: TypeModel): boolean {
    return this.#contains(type, hasOwnSecrets);
  }

  /** Whether a value of the type can contain personal data. */
  hasPersonal(type: TypeModel): boolean {
    return this.#contains(type, hasOwnPersonal);
  }

  /** Whether a value of the type can contain a decimal. */
  hasDecimals(type: TypeModel): boolean {
    return this.#contains(type, hasOwnDecimals);
  }

  /** Whether a value of the type can contain a UUID. */
  hasUuids(type: TypeModel): boolean {
    return this.#contains(type, hasOwnUuids);
  }

  /** Whether JSON of the type has to be converted to dates or sets. */
  hasDatesOrSets(type: TypeModel): boolean {
    return this.#contains(type, hasOwnDatesOrSets);
  }

  /** Whether requests may omit a property that responses always have. */
  hasDefaults(type: TypeModel): boolean {
    return this.#contains(type, hasOwnDefaults);
  }

  #contains(type: TypeModel, found: (part: TypeModel) => boolean): boolean {
    return found(type) || [...this.reachable([type])].some((id) => found(this.get(id).type));
  }

  /** Ids of all named types reachable from `roots`. A root is included only if something refers to it. */
  reachable(roots: Iterable<TypeModel>): ReadonlySet<string> {
    const found = new Set<string>();
    const add = (id: string): void => void found.add(id);
    for (const root of roots) forEachRef(root, add);
    // Iterating a Set also visits members added on the way.
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

/** Visits the references in a type without following them. */
function forEachRef(type: TypeModel, visit: (id: string) => void): void {
  switch (type.kind) {
    case 'ref':
      visit(type.id);
      break;
    case 'nullable':
      forEachRef(type.type, visit);
      break;
    case 'array':
    case 'set':
      forEachRef(type.items, visit);
      break;
    case 'record':
      forEachRef(type.values, visit);
      break;
    case 'tuple':
      for (const item of type.items) forEachRef(item, visit);
      break;
    case 'union':
      for (const arm of type.arms) forEachRef(arm, visit);
      break;
    case 'tagged':
      for (const arm of type.arms) forEachRef(arm.type, visit);
      break;
    case 'object':
      for (const property of type.properties) forEachRef(property.type, visit);
  }
}

/** Whether a type has a secret, apart from those of the named types that it refers to. */
function hasOwnSecrets(type: TypeModel): boolean {
  return type.kind === 'string' ? type.secret === true : partsOf(type).some(hasOwnSecrets);
}

/** Whether a type has personal data, apart from those of the named types that it refers to. */
function hasOwnPersonal(type: TypeModel): boolean {
  if (type.kind === 'object' && type.properties.some(({ personal }) => personal !== undefined)) return true;
  return partsOf(type).some(hasOwnPersonal);
}

/** Whether a type has a decimal, apart from those of the named types that it refers to. */
function hasOwnDecimals(type: TypeModel): boolean {
  return type.kind === 'string' ? type.format === 'decimal' : partsOf(type).some(hasOwnDecimals);
}

/** Whether a type has a UUID, apart from those of the named types that it refers to. */
function hasOwnUuids(type: TypeModel): boolean {
  return type.kind === 'string' ? type.format === 'uuid' : partsOf(type).some(hasOwnUuids);
}

/** Whether a type has a date or a set, apart from those of the named types that it refers to. */
function hasOwnDatesOrSets(type: TypeModel): boolean {
  return type.kind === 'date' || type.kind === 'set' || partsOf(type).some(hasOwnDatesOrSets);
}

/** Whether a type has a property with a default, apart from those of the named types that it refers to. */
function hasOwnDefaults(type: TypeModel): boolean {
  if (type.kind === 'object' && type.properties.some(({ presence }) => presence === 'initialised')) return true;
  return partsOf(type).some(hasOwnDefaults);
}

function partsOf(type: TypeModel): readonly TypeModel[] {
  switch (type.kind) {
    case 'nullable':
      return [type.type];
    case 'array':
    case 'set':
      return [type.items];
    case 'record':
      return [type.values];
    case 'tuple':
      return type.items;
    case 'union':
      return type.arms;
    case 'tagged':
      return type.arms.map((arm) => arm.type);
    case 'object':
      return type.properties.map((property) => property.type);
    default:
      return [];
  }
}
