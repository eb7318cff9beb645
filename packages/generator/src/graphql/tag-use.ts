import type { NamedType, TypeModel } from '../model/index.js';

/** How input types are used, which decides whether callers must send a tag. */
export class TagUse {
  readonly #direct = new Set<string>();
  readonly #tags = new Map<string, Set<string>>();
  readonly #find: (id: string) => NamedType;

  constructor(roots: Iterable<string>, find: (id: string) => NamedType) {
    this.#find = find;
    for (const id of roots) this.#useDirectly(id);
  }

  /** Whether a tag is always given by the key of a union. */
  isGivenByKey(typeId: string | null, property: string): boolean {
    return typeId !== null && !this.#direct.has(typeId) && this.#tags.get(typeId)?.has(property) === true;
  }

  /** Whether a tag is sometimes given by the key of a union. */
  mayBeGivenByKey(typeId: string | null, property: string): boolean {
    return typeId !== null && this.#tags.get(typeId)?.has(property) === true;
  }

  #useDirectly(id: string): void {
    if (this.#direct.has(id)) return;
    const known = this.#tags.has(id);
    this.#direct.add(id);
    if (!known) this.#walk(this.#find(id).type);
  }

  #useAsArm(id: string, tag: string): void {
    const known = this.#direct.has(id) || this.#tags.has(id);
    this.#tags.set(id, (this.#tags.get(id) ?? new Set()).add(tag));
    if (!known) this.#walk(this.#find(id).type);
  }

  #walk(type: TypeModel): void {
    switch (type.kind) {
      case 'ref':
        return this.#useDirectly(type.id);
      case 'nullable':
        return this.#walk(type.type);
      case 'array':
      case 'set':
        return this.#walk(type.items);
      case 'object':
        for (const property of type.properties) this.#walk(property.type);
        return;
      case 'tagged':
        for (const { type: arm } of type.arms) {
          if (arm.kind === 'ref') this.#useAsArm(arm.id, type.tag);
          else this.#walk(arm);
        }
        return;
      default:
        return;
    }
  }
}
