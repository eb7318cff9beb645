import type { NamedType, ObjectType, TypeModel } from '../../model/index.js';
import { identifierPart } from '../names.js';
import { isInherited, literal, member, quoted } from '../source-file.js';
import type { TypeIndex } from '../type-index.js';
import type { ClientNames } from './client-names.js';

/** Writes functions that turn received JSON into dates and sets. Types without any are used as they are. */
export class ClientReaders {
  readonly #names: ClientNames;
  readonly #types: TypeIndex;
  /** By the id of their type. */
  readonly #functions = new Map<string, string>();
  /** Whether the types with these ids are read. */
  readonly #read = new Map<string, boolean>();
  readonly #declarations: string[] = [];

  constructor(names: ClientNames, types: TypeIndex) {
    this.#names = names;
    this.#types = types;
  }

  get declarations(): readonly string[] {
    return this.#declarations;
  }

  /** A function that reads a type; null if JSON needs no change. */
  of(type: TypeModel): string | null {
    if (!this.#isRead(type)) return null;
    return type.kind === 'ref' ? this.#named(type.id) : `(json: any) => ${this.#expression(type, 'json', '')}`;
  }

  #isRead(type: TypeModel): boolean {
    if (type.kind !== 'ref') return this.#types.hasDatesOrSets(type);
    let isRead = this.#read.get(type.id);
    if (isRead === undefined) this.#read.set(type.id, (isRead = this.#types.hasDatesOrSets(type)));
    return isRead;
  }

  #named(id: string): string {
    const known = this.#functions.get(id);
    if (known !== undefined) return known;
    const type: NamedType = this.#types.get(id);
    const typeName = this.#names.type(id, 'response');
    const name = this.#names.unique(`read${typeName}`, 'Json');
    this.#functions.set(id, name);
    this.#declare(name, typeName, type.type);
    return name;
  }

  #declare(name: string, returned: string, type: TypeModel): void {
    const body =
      type.kind === 'object'
        ? `${this.#statements(type, name)}  return json;`
        : type.kind === 'tagged'
          ? this.#choices(type, name)
          : `  return ${this.#expression(type, 'json', name)};`;
    this.#declarations.push(`function ${name}(json: any): ${returned} {\n${body}\n}`);
  }

  #statements({ properties }: ObjectType, owner: string): string {
    return properties
      .filter(({ type }) => this.#isRead(type))
      .map(({ name, type, presence }) => {
        const place = `json${member(name)}`;
        const isAlways = presence !== 'optional' && type.kind !== 'nullable';
        const isPresent = isInherited(name)
          ? `Object.hasOwn(json, ${quoted(name)}) && ${place} !== null`
          : `${place} != null`;
        const value = this.#expression(
          type.kind === 'nullable' ? type.type : type,
          place,
          owner + identifierPart(name),
        );
        return isAlways ? `  ${place} = ${value};\n` : `  if (${isPresent}) ${place} = ${value};\n`;
      })
      .join('');
  }

  #choices({ tag, arms }: TypeModel & { kind: 'tagged' }, owner: string): string {
    const read = arms.filter((arm) => this.#isRead(arm.type));
    const cases = read.map(({ value, type }) => {
      const text = this.#expression(type, 'json', owner + identifierPart(String(value)));
      return `    case ${literal(value)}:\n      return ${text};\n`;
    });
    return `  switch (json${member(tag)}) {\n${cases.join('')}    default:\n      return json;\n  }`;
  }

  /** The value at `place`, read. */
  #expression(type: TypeModel, place: string, owner: string): string {
    if (!this.#isRead(type)) return place;
    switch (type.kind) {
      case 'date':
        return `new Date(${place})`;
      case 'set':
        return `new Set(${this.#items(type.items, place, owner)})`;
      case 'array':
        return this.#items(type.items, place, owner);
      case 'tuple':
        return `[${type.items.map((item, i) => this.#expression(item, `${place}[${i}]`, owner)).join(', ')}]`;
      case 'record':
        return `Object.fromEntries(Object.entries(${place}).map(([key, item]: [string, any]) => [key, ${this.#expression(type.values, 'item', owner)}]))`;
      case 'nullable':
        return `${place} === null ? null : ${this.#expression(type.type, place, owner)}`;
      case 'union':
        return this.#kinds(type.arms, place, owner);
      case 'ref':
        return `${this.#named(type.id)}(${place})`;
      default: {
        const name = this.#names.unique(owner === '' ? 'readResult' : owner, 'Json');
        this.#declare(name, 'any', type);
        return `${name}(${place})`;
      }
    }
  }

  #items(items: TypeModel, place: string, owner: string): string {
    if (!this.#isRead(items)) return place;
    return `${place}.map((item: any) => ${this.#expression(items, 'item', owner)})`;
  }

  /** At most one arm has each JSON kind. */
  #kinds(arms: readonly TypeModel[], place: string, owner: string): string {
    const tests = arms
      .filter((arm) => this.#isRead(arm))
      .map((arm) => `${this.#kindTest(arm, place)} ? ${this.#expression(arm, place, owner)} : `);
    return `${tests.join('')}${place}`;
  }

  #kindTest(arm: TypeModel, place: string): string {
    const type = arm.kind === 'ref' ? this.#types.get(arm.id).type : arm;
    if (type.kind === 'date') return `typeof ${place} === 'string'`;
    if (type.kind === 'array' || type.kind === 'set' || type.kind === 'tuple') return `Array.isArray(${place})`;
    return `typeof ${place} === 'object' && ${place} !== null && !Array.isArray(${place})`;
  }
}
