import type { NamedType, ObjectType, PropertyModel, TypeModel } from '../../model/index.js';
import type { Direction } from '../schema-types.js';
import { literal, propertyKey } from '../source-file.js';
import type { ClientNames } from './client-names.js';
import { docComment } from './doc-comment.js';

/** Writes types as TypeScript, as callers send or receive them. */
export class ClientTypes {
  readonly #names: ClientNames;
  readonly #direction: Direction;

  constructor(names: ClientNames, direction: Direction) {
    this.#names = names;
    this.#direction = direction;
  }

  declaration({ id, type, description }: NamedType): string {
    const name = this.#names.type(id, this.#direction);
    const comment = docComment(description, '');
    if (type.kind !== 'object') return `${comment}export type ${name} = ${this.of(type)};`;
    return `${comment}export interface ${name} {\n${this.#properties(type).join('')}}`;
  }

  /** A result: a command without one returns null, which callers do not use. */
  result(type: TypeModel): string {
    return type.kind === 'null' ? 'void' : this.of(type);
  }

  of(type: TypeModel): string {
    switch (type.kind) {
      case 'string':
        return type.format === 'uuid' ? 'Uuid' : type.format === 'decimal' ? 'Decimal' : 'string';
      case 'number':
      case 'boolean':
      case 'null':
        return type.kind;
      case 'date':
        return 'Date';
      case 'json':
        return 'unknown';
      case 'literal':
        return type.values.map(literal).join(' | ');
      case 'nullable':
        return `${this.of(type.type)} | null`;
      case 'array':
        return `readonly ${this.#operand(type.items)}[]`;
      case 'set':
        return `ReadonlySet<${this.of(type.items)}>`;
      case 'tuple':
        return `readonly [${type.items.map((item) => this.of(item)).join(', ')}]`;
      case 'record':
        return `{ readonly [key: string]: ${this.of(type.values)} }`;
      case 'union':
        return type.arms.length === 0 ? 'never' : type.arms.map((arm) => this.of(arm)).join(' | ');
      case 'tagged':
        return [...new Set(type.arms.map((arm) => this.of(arm.type)))].join(' | ');
      case 'object':
        return `{ ${type.properties.map((property) => this.#property(property)).join('; ')} }`;
      case 'ref':
        return this.#names.type(type.id, this.#direction);
    }
  }

  #properties({ properties }: ObjectType): string[] {
    return properties.map((property) => `${docComment(property.description, '  ')}  ${this.#property(property)};\n`);
  }

  #property({ name, type, presence }: PropertyModel): string {
    const isOptional = presence === 'optional' || (presence === 'initialised' && this.#direction === 'request');
    const key = `readonly ${propertyKey(name)}`;
    return isOptional ? `${key}?: ${this.of(type)} | undefined` : `${key}: ${this.of(type)}`;
  }

  /** A type before an operator: `(A | B)[]`. */
  #operand(type: TypeModel): string {
    const text = this.of(type);
    return / [|&] |^readonly /.test(text) ? `(${text})` : text;
  }
}
