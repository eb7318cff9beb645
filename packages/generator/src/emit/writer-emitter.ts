import type { NamedType, ObjectType, PropertyModel, TypeModel } from '../model/index.js';
import { Concatenation } from './concatenation.js';
import { capitalised, identifierPart, jsonModule, writerName } from './names.js';
import { indented, isInherited, literal, member, quoted, type SourceFile } from './source-file.js';
import type { TypeIndex } from './type-index.js';
import type { TypeText } from './type-text.js';

const json = '@svc/core/json';
const isObjectTest = `typeof value === 'object' && value !== null`;

/** Writes the functions that convert typed values to JSON text, by concatenation. */
export class WriterEmitter {
  readonly #file: SourceFile;
  readonly #types: TypeIndex;
  readonly #texts: TypeText;

  constructor(file: SourceFile, types: TypeIndex, texts: TypeText) {
    this.#file = file;
    this.#types = types;
    this.#texts = texts;
  }

  /** The exported writer of a named type. */
  emitNamed(type: NamedType): void {
    const name = writerName(type);
    this.#declare(`export function ${name}`, this.#texts.named(type.id), this.#body(type.type, name));
  }

  /** The exported writer of an anonymous type, such as a command's anonymous result. */
  emitUnnamed(name: string, type: TypeModel): void {
    this.#declare(`export function ${name}`, this.#texts.of(type), this.#body(type, name));
  }

  /** The parts that write `value`. The quotes of a text belong to the constants around it. */
  #written(type: TypeModel, value: string, owner: string): Concatenation {
    const text = new Concatenation();
    const inPlace = this.#types.inPlace(type);
    switch (inPlace?.kind) {
      case 'nullable':
        return text.expression(`(${value} === null ? 'null' : ${this.#expression(inPlace.type, value, owner)})`);
      case 'string':
        return this.#quoted(inPlace.secret === true ? 'secretText' : 'escaped', value);
      case 'number':
        return text.expression(`${this.#core('writeNumber')}(${value})`);
      case 'boolean':
        return text.expression(`${this.#core('writeBoolean')}(${value})`);
      case 'date':
        return this.#quoted('isoText', value);
      case 'literal':
        return inPlace.values.every((one) => typeof one === 'string')
          ? this.#quoted('escaped', value)
          : text.expression(`${this.#core('writeLiteral')}(${value})`);
      case 'json':
        return text.expression(`${this.#core('writeJson')}(${value})`);
      case 'null':
        return text.constant('null');
      default:
        return text.expression(`${this.#functionFor(type, owner)}(${value})`);
    }
  }

  #quoted(writer: string, value: string): Concatenation {
    return new Concatenation()
      .constant('"')
      .expression(`${this.#core(writer)}(${value})`)
      .constant('"');
  }

  #expression(type: TypeModel, value: string, owner: string): string {
    return this.#written(type, value, owner).toString();
  }

  #functionFor(type: TypeModel, owner: string): string {
    if (type.kind === 'ref') {
      const target = this.#types.get(type.id);
      return this.#file.useFrom(jsonModule(target.module), writerName(target));
    }
    const name = this.#file.uniqueName(owner);
    if (type.kind === 'object') this.#texts.nameInline(type, name.replace(/^write/, ''));
    this.#declare(`function ${name}`, this.#texts.of(type), this.#body(type, name));
    return name;
  }

  #body(type: TypeModel, owner: string): string {
    switch (type.kind) {
      case 'object':
        return this.#objectBody(type, owner);
      case 'array':
      case 'set':
        return [
          `let text = '';`,
          'for (const item of value) {',
          `  text += (text === '' ? '' : ',') + ${this.#expression(type.items, 'item', `${owner}Item`)};`,
          '}',
          `return '[' + text + ']';`,
        ].join('\n');
      case 'tuple': {
        const text = new Concatenation();
        for (const [i, item] of type.items.entries()) {
          text.constant(i === 0 ? '[' : ',').add(this.#written(item, `value[${i}]`, `${owner}Item${i}`));
        }
        return `return ${text.constant(']').toString()};`;
      }
      case 'record':
        return [
          `let text = '';`,
          'for (const [key, item] of Object.entries(value)) {',
          `  text += (text === '' ? '' : ',') + ${this.#core('writeString')}(key) + ':' + ${this.#expression(type.values, 'item', `${owner}Value`)};`,
          '}',
          `return '{' + text + '}';`,
        ].join('\n');
      case 'union': {
        // Every non-scalar is an object, so that test comes last.
        const ordered = [...type.arms].toSorted((a, b) => Number(this.#isObject(a)) - Number(this.#isObject(b)));
        const arms = ordered.map((arm, i) => {
          const cast = `(value as ${this.#texts.of(arm)})`;
          return `if (${this.#test(arm)}) return ${this.#expression(arm, cast, `${owner}Arm${i + 1}`)};`;
        });
        return [...arms, `throw ${this.#core('unwritable')}(value, 'a value of its declared type');`].join('\n');
      }
      case 'tagged': {
        const cases = type.arms.map((arm) => {
          const cast = `value as ${this.#texts.of(arm.type)}`;
          const write = this.#expression(arm.type, cast, `${owner}${capitalised(identifierPart(String(arm.value)))}`);
          return `  case ${literal(arm.value)}:\n    return ${write};`;
        });
        return [
          `switch (value${member(type.tag)} as string | number | boolean) {`,
          ...cases,
          '  default:',
          `    throw ${this.#core('unwritable')}(value, 'a value with a known tag');`,
          '}',
        ].join('\n');
      }
      default:
        return `return ${this.#expression(type, 'value', owner)};`;
    }
  }

  /** Required properties first, so that only a type without any has to find its first comma. */
  #objectBody(type: ObjectType, owner: string): string {
    const parts = type.properties.map((property) => {
      const value = `value${member(property.name)}`;
      const written = this.#property(property, value, owner + identifierPart(property.name));
      const isLeftOut = isInherited(property.name)
        ? `!Object.hasOwn(value, ${quoted(property.name)}) || ${value} === undefined`
        : `${value} === undefined`;
      return { key: JSON.stringify(property.name), isLeftOut, written, isOptional: property.presence === 'optional' };
    });
    const text = new Concatenation();
    const always = parts.filter((part) => !part.isOptional);
    for (const [i, { key, written }] of always.entries()) {
      text.constant(`${i === 0 ? '{' : ','}${key}:`).add(written);
    }
    for (const { key, written, isLeftOut, isOptional } of parts) {
      if (!isOptional) continue;
      const added = new Concatenation().constant(`,${key}:`).add(written);
      text.expression(`(${isLeftOut} ? '' : ${added.toString()})`);
    }
    if (parts.length === 0) return `return '{}';`;
    if (always.length > 0) return `return (\n  ${text.constant('}').toString(' +\n  ')}\n);`;
    return `const text =\n  ${text.toString(' +\n  ')};\nreturn '{' + text.slice(1) + '}';`;
  }

  /** Personal data are delimited; null is not personal. */
  #property({ type, personal }: PropertyModel, value: string, owner: string): Concatenation {
    if (personal === undefined) return this.#written(type, value, owner);
    const inner = type.kind === 'nullable' ? type.type : type;
    const subject = `value${member(personal)}`;
    const text = `${this.#core('personalText')}(${subject}, ${this.#expression(inner, value, owner)})`;
    return new Concatenation().expression(type.kind === 'nullable' ? `(${value} === null ? 'null' : ${text})` : text);
  }

  #test(arm: TypeModel): string {
    const type = arm.kind === 'ref' ? this.#types.get(arm.id).type : arm;
    switch (type.kind) {
      case 'string':
      case 'number':
      case 'boolean':
        return `typeof value === '${type.kind}'`;
      case 'date':
        return 'value instanceof Date';
      case 'literal':
        return [...new Set(type.values.map((value) => `typeof value === '${typeof value}'`))].join(' || ');
      case 'array':
      case 'tuple':
        return 'Array.isArray(value)';
      case 'set':
        return 'value instanceof Set';
      default:
        return isObjectTest;
    }
  }

  #isObject(arm: TypeModel): boolean {
    return this.#test(arm) === isObjectTest;
  }

  #declare(head: string, type: string, body: string): void {
    const isUsed = /\bvalue\b/.test(body);
    this.#file.declare(`${head}(${isUsed ? 'value' : '_value'}: ${type}): string {\n${indented(body)}\n}`);
  }

  #core(name: string): string {
    return this.#file.use(json, name);
  }
}
