import type { TypeModel } from '../model/index.js';
import { literal, propertyKey, type SourceFile } from './source-file.js';
import type { TypeIndex } from './type-index.js';

/** Writes a model type as TypeScript and imports the names it uses. */
export class TypeText {
  readonly #file: SourceFile;
  readonly #types: TypeIndex;
  readonly #aliases = new Map<string, string>();
  readonly #inline = new Map<TypeModel, string>();

  constructor(file: SourceFile, types: TypeIndex) {
    this.#file = file;
    this.#types = types;
  }

  of(type: TypeModel): string {
    switch (type.kind) {
      case 'string':
        if (type.format === 'uuid') return this.#file.useType('@svc/core', 'Uuid');
        if (type.format === 'decimal') return this.#file.useType('@svc/core', 'Decimal');
        return 'string';
      case 'number':
        return 'number';
      case 'boolean':
        return 'boolean';
      case 'date':
        return 'Date';
      case 'json':
        return 'unknown';
      case 'null':
        return 'void';
      case 'literal':
        return type.values.map(literal).join(' | ');
      case 'nullable':
        return `${this.of(type.type)} | null`;
      case 'array':
        return `readonly ${this.operand(type.items)}[]`;
      case 'set':
        return `ReadonlySet<${this.of(type.items)}>`;
      case 'tuple':
        return `readonly [${type.items.map((item) => this.of(item)).join(', ')}]`;
      case 'record':
        return `Readonly<Record<string, ${this.of(type.values)}>>`;
      case 'union':
        return type.arms.map((arm) => this.of(arm)).join(' | ');
      case 'tagged':
        return type.arms.map((arm) => this.of(arm.type)).join(' | ');
      case 'object': {
        const alias = this.#inline.get(type);
        if (alias !== undefined) return alias;
        const properties = type.properties.map((property) => {
          const optional = property.presence === 'optional';
          const text = this.of(property.type);
          return `readonly ${propertyKey(property.name)}${optional ? '?' : ''}: ${text}${optional ? ' | undefined' : ''}`;
        });
        return `{ ${properties.join('; ')} }`;
      }
      case 'ref':
        return this.named(type.id);
    }
  }

  /** The name of a named type if it can be imported, otherwise an alias in this file. */
  named(id: string): string {
    const type = this.#types.get(id);
    if (type.exportName !== null && type.module !== null) return this.#file.useTypeFrom(type.module, type.exportName);
    const known = this.#aliases.get(id);
    if (known !== undefined) return known;
    const alias = this.#file.uniqueName(type.name);
    this.#aliases.set(id, alias);
    this.#file.declare(`type ${alias} = ${this.of(type.type)};`);
    return alias;
  }

  /** Gives an anonymous object type a name in this file. */
  nameInline(type: TypeModel, wanted: string): string {
    const known = this.#inline.get(type);
    if (known !== undefined) return known;
    const text = this.of(type);
    const alias = this.#file.uniqueName(wanted);
    this.#inline.set(type, alias);
    this.#file.declare(`type ${alias} = ${text};`);
    return alias;
  }

  /** A type before an operator: `(A | B)[]`. */
  operand(type: TypeModel): string {
    const text = this.of(type);
    return / [|&] |^readonly /.test(text) ? `(${text})` : text;
  }
}
