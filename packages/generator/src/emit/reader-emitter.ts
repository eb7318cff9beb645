import type { ArrayType, NamedType, TypeModel } from '../model/index.js';
import { describeType } from './describe-type.js';
import { capitalised, identifierPart, jsonModule, messageReaderName, readerName, uncapitalised } from './names.js';
import { objectReaderBody, type ObjectTarget } from './object-reader.js';
import type { ReaderScope } from './reader-scope.js';
import { scalarReader } from './scalar-reader.js';
import { indented, literal, quoted, type SourceFile } from './source-file.js';
import type { TypeIndex } from './type-index.js';
import type { TypeText } from './type-text.js';

const json = '@svc/core/json';
const isNumber = `typeof value === 'number'`;
const failed = 'return undefined as never;';

/** Writes the functions that turn parsed JSON into typed values. Scalars are read in place; everything else has a function. */
export class ReaderEmitter implements ReaderScope {
  readonly file: SourceFile;
  readonly #types: TypeIndex;
  readonly #texts: TypeText;

  constructor(file: SourceFile, types: TypeIndex, texts: TypeText) {
    this.file = file;
    this.#types = types;
    this.#texts = texts;
  }

  /** The exported reader of a named type: plain data. */
  emitNamed(type: NamedType): void {
    const name = readerName(type);
    const returns = this.#texts.named(type.id);
    const target: ObjectTarget = { kind: 'data', name: returns, type };
    if (type.isRecursive) this.#declareRecursive(name, returns, this.#body(type.type, name, target));
    else this.#declare(`export function ${name}`, returns, this.#body(type.type, name, target));
  }

  /** The exported reader of an anonymous type: plain data. */
  emitUnnamed(name: string, type: TypeModel): void {
    const returns =
      type.kind === 'object' ? this.#texts.nameInline(type, name.replace(/^read/, '')) : this.#texts.of(type);
    this.#declare(
      `export function ${name}`,
      returns,
      this.#body(type, name, { kind: 'data', name: returns, type: null }),
    );
  }

  /** The exported reader of a message or request: an instance of its class. */
  emitMessage(type: NamedType): void {
    const name = messageReaderName(type);
    const target: ObjectTarget = { kind: 'instance', name: this.className(type), type };
    this.#declare(`export function ${name}`, target.name, this.#body(type.type, readerName(type), target));
  }

  className(type: NamedType): string {
    if (type.module === null || type.exportName === null) throw new Error(`${type.id} is not an exported class.`);
    return this.file.useFrom(type.module, type.exportName);
  }

  core(name: string): string {
    return this.file.use(json, name);
  }

  coreType(name: string): string {
    return this.file.useType(json, name);
  }

  expression(type: TypeModel, input: string, key: string | null, owner: string): string {
    const at = key === null ? 'null' : quoted(key);
    const inPlace = this.#types.inPlace(type);
    if (inPlace?.kind === 'nullable') {
      return `${input} === null ? null : ${this.expression(inPlace.type, input, key, owner)}`;
    }
    if (inPlace !== undefined) {
      const scalar = scalarReader(this, inPlace, input, at, owner);
      if (scalar !== undefined) return scalar;
    }
    const call = `${this.#functionFor(type, owner)}(${input}, issues)`;
    return key === null ? call : `issues.under(${at}, issues.count, ${call})`;
  }

  #functionFor(type: TypeModel, owner: string): string {
    if (type.kind === 'json') return this.core('readJson');
    if (type.kind === 'ref') {
      const target = this.#types.get(type.id);
      return this.file.useFrom(jsonModule(target.module), readerName(target));
    }
    const name = this.file.uniqueName(owner);
    if (type.kind === 'object') this.#texts.nameInline(type, name.replace(/^read/, ''));
    const returns = this.#texts.of(type);
    this.#declare(`function ${name}`, returns, this.#body(type, name, { kind: 'data', name: returns, type: null }));
    return name;
  }

  #body(type: TypeModel, owner: string, target: ObjectTarget): string {
    switch (type.kind) {
      case 'object':
        return objectReaderBody(this, type, owner, target);
      case 'array':
      case 'set':
        return this.#listBody(type, owner);
      case 'tuple': {
        const { length } = type.items;
        const items = type.items.map((item, i) => {
          const read = this.expression(item, `value[${i}]`, null, `${owner}Item${i}`);
          return `${this.converts(item) ? `value[${i}] = ` : ''}issues.under(${i}, issues.count, ${read});`;
        });
        const what = quoted(`an array of ${length} ${length === 1 ? 'item' : 'items'}`);
        return [
          `if (!Array.isArray(value) || value.length !== ${length}) return issues.reject(value, ${what});`,
          ...items,
          `return value as object as ${this.#texts.of(type)};`,
        ].join('\n');
      }
      case 'record': {
        const read = this.expression(type.values, 'value[key]', null, `${owner}Value`);
        return [
          `if (!${this.core('isObject')}(value)) return issues.reject(value, 'an object');`,
          'for (const key of Object.keys(value)) {',
          '  if (issues.full) break;',
          `  if (${this.core('isPoisonKey')}(key)) issues.add(key, 'is not allowed as a key');`,
          `  else ${this.converts(type.values) ? 'value[key] = ' : ''}issues.under(key, issues.count, ${read});`,
          '}',
          `return value as ${this.#texts.of(type)};`,
        ].join('\n');
      }
      case 'union': {
        const hasNumbers = type.arms.some((arm) => this.#test(arm).includes(isNumber));
        const arms = type.arms.map((arm, i) => {
          const read = this.expression(arm, 'value', null, `${owner}Arm${i + 1}`);
          // A decimal may be sent as a number, unless another arm reads numbers.
          const test = !hasNumbers && this.#isDecimal(arm) ? `${this.#test(arm)} || ${isNumber}` : this.#test(arm);
          return `if (${test}) return ${read} as ${target.name};`;
        });
        return [...arms, `return issues.reject(value, ${quoted(describeType(type, this.#types))});`].join('\n');
      }
      case 'tagged': {
        const cases = type.arms.map((arm) => {
          const read = this.expression(
            arm.type,
            'value',
            null,
            `${owner}${capitalised(identifierPart(String(arm.value)))}`,
          );
          return `  case ${literal(arm.value)}:\n    return ${read} as ${target.name};`;
        });
        const values = type.arms.map((arm) => JSON.stringify(arm.value)).join(', ');
        return [
          `if (!${this.core('isObject')}(value)) return issues.reject(value, 'an object');`,
          `switch (value[${quoted(type.tag)}]) {`,
          ...cases,
          '  default:',
          `    issues.expected(${quoted(type.tag)}, value[${quoted(type.tag)}], ${quoted(`one of ${values}`)});`,
          `    ${failed}`,
          '}',
        ].join('\n');
      }
      default:
        return `return (${this.expression(type, 'value', null, owner)}) as ${target.name};`;
    }
  }

  /** Items are read in place; a set is a new object and rejects duplicates. */
  #listBody(type: ArrayType, owner: string): string {
    const isSet = type.kind === 'set';
    const read = `issues.under(i, issues.count, ${this.expression(type.items, 'value[i]', null, `${owner}Item`)})`;
    const lines = [`if (!Array.isArray(value)) return issues.reject(value, 'an array');`];
    if (type.minItems !== undefined || type.maxItems !== undefined) {
      const bounds = `${type.minItems ?? 0}, ${type.maxItems ?? 'Infinity'}`;
      lines.push(`${this.core('itemsWithin')}(value.length, ${bounds}, issues);`);
    }
    if (isSet) lines.push(`const items = new Set<${this.#texts.of(type.items)}>();`);
    lines.push('for (let i = 0; i < value.length && !issues.full; i++) {');
    if (isSet) {
      lines.push(`  const item = ${read} as ${this.#texts.of(type.items)};`);
      lines.push(
        `  if (items.has(item)) issues.under(i, issues.count, issues.add(null, 'must not be in the set twice'));`,
      );
      lines.push('  items.add(item);');
    } else {
      lines.push(`  ${this.converts(type.items) ? 'value[i] = ' : ''}${read};`);
    }
    return [...lines, '}', `return ${isSet ? 'items' : 'value'};`].join('\n');
  }

  converts(type: TypeModel): boolean {
    switch (type.kind) {
      case 'string':
        return type.format === 'uuid' || type.format === 'decimal';
      case 'date':
      case 'set':
        return true;
      case 'nullable':
        return this.converts(type.type);
      case 'union':
        return type.arms.some((arm) => this.converts(arm));
      case 'ref': {
        const target = this.#types.get(type.id).type;
        return target.kind !== 'object' && target.kind !== 'tagged' && this.converts(target);
      }
      default:
        return false;
    }
  }

  #isDecimal(arm: TypeModel): boolean {
    const type = this.#types.inPlace(arm);
    return type?.kind === 'string' && type.format === 'decimal';
  }

  /** Whether a value has the JSON kind of an arm. */
  #test(arm: TypeModel): string {
    const type = arm.kind === 'ref' ? this.#types.get(arm.id).type : arm;
    switch (type.kind) {
      case 'string':
      case 'date':
        return `typeof value === 'string'`;
      case 'number':
        return isNumber;
      case 'boolean':
        return `typeof value === 'boolean'`;
      case 'literal':
        return [...new Set(type.values.map((value) => `typeof value === '${typeof value}'`))].join(' || ');
      case 'array':
      case 'set':
      case 'tuple':
        return 'Array.isArray(value)';
      default:
        return `${this.core('isObject')}(value)`;
    }
  }

  constant(owner: string, suffix: string, text: string, type = ''): string {
    const name = this.file.uniqueName(uncapitalised(owner.replace(/^read/, '')) + suffix);
    this.file.declare(`const ${name}${type} = ${text};`);
    return name;
  }

  /** Readers recurse with the value, so the depth of recursive types is counted. */
  #declareRecursive(name: string, returns: string, body: string): void {
    const level = this.file.uniqueName(`${name}Level`);
    const lines = ['if (!issues.enter()) return undefined as never;', `const result = ${level}(value, issues);`];
    this.#declare(`export function ${name}`, returns, [...lines, 'issues.leave();', 'return result;'].join('\n'));
    this.#declare(`function ${level}`, returns, body);
  }

  #declare(head: string, returns: string, body: string): void {
    const issues = this.coreType('Issues');
    this.file.declare(`${head}(value: unknown, issues: ${issues}): ${returns} {\n${indented(body)}\n}`);
  }
}
