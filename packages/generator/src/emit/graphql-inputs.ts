import { armKey } from '../graphql/index.js';
import type { ObjectType, PropertyModel, TaggedType, TypeModel } from '../model/index.js';
import { capitalised } from './names.js';
import { indented, literal, propertyKey, quoted, type SourceFile } from './source-file.js';
import type { TypeIndex } from './type-index.js';

const json = '@svc/core/json';

/** Writes the functions that convert a GraphQL input to what the reader of its type expects. Most types need none. */
export class GraphQLInputEmitter {
  readonly #file: SourceFile;
  readonly #types: TypeIndex;
  /** Functions by the id of their named type. */
  readonly #named = new Map<string, string>();
  readonly #open = new Set<string>();

  constructor(file: SourceFile, types: TypeIndex) {
    this.#file = file;
    this.#types = types;
  }

  /** The name of the function for a type; null if no conversion is needed. `owner` names anonymous types. */
  functionFor(type: TypeModel, owner: string): string | null {
    switch (type.kind) {
      case 'nullable':
        return this.functionFor(type.type, owner);
      case 'array':
      case 'set':
        return this.#list(type.items, owner);
      case 'object':
        return this.#needs(type) ? this.#declare(owner, this.#objectBody(type, owner)) : null;
      case 'tagged':
        return this.#declare(owner, this.#oneOfBody(type, owner));
      case 'ref':
        return this.#reference(type.id);
      default:
        return null;
    }
  }

  #reference(id: string): string | null {
    const { type, name, isRecursive } = this.#types.get(id);
    const known = this.#named.get(id);
    if (known !== undefined) return known;
    if (type.kind !== 'object' && type.kind !== 'tagged') {
      // Inlined, as in the schema; a type that contains only itself is JSON.
      if (this.#open.has(id)) return null;
      this.#open.add(id);
      const found = this.functionFor(type, name);
      this.#open.delete(id);
      return found;
    }
    if (type.kind === 'object' && !this.#needs(type)) return null;
    const wanted = this.#file.uniqueName(`prepare${capitalised(name)}`);
    this.#named.set(id, wanted);
    const body = type.kind === 'object' ? this.#objectBody(type, name) : this.#oneOfBody(type, name);
    if (isRecursive) this.#declareRecursive(wanted, body);
    else this.#declareAs(wanted, body);
    return wanted;
  }

  #list(items: TypeModel, owner: string): string {
    const item = this.functionFor(items, `${owner}Item`);
    return this.#declare(owner, `return ${this.#core('prepareList')}(value, issues, ${item ?? 'null'});`);
  }

  #objectBody({ properties }: ObjectType, owner: string): string {
    const lines = properties.flatMap((property) => this.#propertyLines(property, owner));
    return [`if (!${this.#core('isObject')}(value)) return value;`, ...lines, 'return value;'].join('\n');
  }

  #propertyLines(property: PropertyModel, owner: string): string[] {
    const key = quoted(property.name);
    const lines: string[] = [];
    if (this.#dropsNull(property)) lines.push(`${this.#core('dropNull')}(value, ${key});`);
    if (this.#fillsNull(property)) lines.push(`${this.#core('nullWhenMissing')}(value, ${key});`);
    const prepare = this.functionFor(property.type, owner + capitalised(property.name));
    if (prepare !== null) lines.push(`${this.#core('prepareAt')}(value, ${key}, issues, ${prepare});`);
    return lines;
  }

  #oneOfBody({ tag, arms }: TaggedType, owner: string): string {
    const entries = arms.map(({ value, type }) => {
      const key = armKey(value);
      const prepare = this.functionFor(type, owner + capitalised(key));
      return `  ${propertyKey(key)}: { tag: ${literal(value)}, prepare: ${prepare ?? 'null'} },`;
    });
    const table = this.#file.uniqueName(`armsOf${capitalised(owner)}`);
    const arm = this.#file.useType(json, 'InputArm');
    this.#file.declare(`const ${table}: Readonly<Record<string, ${arm}>> = {\n${entries.join('\n')}\n};`);
    return `return ${this.#core('prepareOneOf')}(value, issues, ${quoted(tag)}, ${table});`;
  }

  /** Whether anything at or below an object differs between GraphQL and JSON. */
  #needs(type: ObjectType): boolean {
    return this.#differs(type, new Set());
  }

  #differs(type: TypeModel, seen: Set<string>): boolean {
    switch (type.kind) {
      case 'nullable':
        return this.#differs(type.type, seen);
      case 'array':
      case 'set':
      case 'tagged':
        return true;
      case 'object':
        return type.properties.some(
          (property) => this.#dropsNull(property) || this.#fillsNull(property) || this.#differs(property.type, seen),
        );
      case 'ref':
        if (seen.has(type.id)) return false;
        seen.add(type.id);
        return this.#differs(this.#types.get(type.id).type, seen);
      default:
        return false;
    }
  }

  #dropsNull({ presence, type }: PropertyModel): boolean {
    return presence !== 'required' && !this.#takesNull(type);
  }

  #fillsNull({ presence, type }: PropertyModel): boolean {
    return presence === 'required' && this.#takesNull(type);
  }

  #takesNull(type: TypeModel): boolean {
    if (type.kind === 'ref') return this.#takesNull(this.#types.get(type.id).type);
    return type.kind === 'nullable' || type.kind === 'json' || type.kind === 'null';
  }

  #declare(owner: string, body: string): string {
    const name = this.#file.uniqueName(`prepare${capitalised(owner)}`);
    this.#declareAs(name, body);
    return name;
  }

  #declareAs(name: string, body: string): void {
    const issues = /\bissues\b/.test(body) ? 'issues' : '_issues';
    const type = this.#file.useType(json, 'Issues');
    this.#file.declare(`function ${name}(value: unknown, ${issues}: ${type}): unknown {\n${indented(body)}\n}`);
  }

  /** The functions recurse with the value, so its depth is counted. */
  #declareRecursive(name: string, body: string): void {
    const level = this.#file.uniqueName(`${name}Level`);
    const lines = ['if (!issues.enter()) return value;', `const result = ${level}(value, issues);`];
    this.#declareAs(name, [...lines, 'issues.leave();', 'return result;'].join('\n'));
    this.#declareAs(level, body);
  }

  #core(name: string): string {
    return this.#file.use(json, name);
  }
}
