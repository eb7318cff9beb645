import type { NamedType, ObjectType, PropertyModel } from '../model/index.js';
import { identifierPart } from './names.js';
import type { ReaderEmitter } from './reader-emitter.js';
import { isInherited, member, propertyKey, quoted } from './source-file.js';

/** What an object reader makes: an instance of a class, plain data of a class (which supplies defaults), or plain data. */
export interface ObjectTarget {
  readonly kind: 'instance' | 'data of class' | 'data';
  /** The TypeScript type of what is made. */
  readonly name: string;
  readonly type: NamedType | null;
}

/** Names a property's local variable must not take: those of the function, what it imports, and what is declared beside it. */
const taken = new Set(
  (
    'value issues start keyCount result defaults undefined atLeast atMost countKeys decimalAtLeast decimalAtMost formatted ' +
    'isObject isPoisonKey itemsWithin lengthAtLeast lengthAtMost matching ownValue unwritable'
  ).split(' '),
);
const declared = /^(?:read|write)|(?:FromJson|Keys|Values|Pattern)\d*$/;
const keywords = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for ' +
    'function if implements import in instanceof interface let new null package private protected public return static super ' +
    'switch this throw true try typeof var void while with yield'
  ).split(' '),
);

export function objectReaderBody(reader: ReaderEmitter, type: ObjectType, owner: string, target: ObjectTarget): string {
  const fields = type.properties.map((property, i) => ({ ...property, local: localName(property.name, i) }));
  const names = type.properties.map(({ name }) => quoted(name));
  const keys = reader.constant(owner, 'Keys', `[${names.join(', ')}]`, ': readonly string[]');
  const lines = [
    `if (!${reader.core('isObject')}(value)) return issues.reject(value, 'an object');`,
    'const start = issues.count;',
    ...fields.map((field) => readField(reader, field, owner)),
    `const keyCount = ${keyCount(fields)};`,
    `if (issues.count !== start || ${reader.core('countKeys')}(value) !== keyCount) {`,
    `  issues.unknownKeys(value, ${keys});`,
    '  if (issues.count !== start) return undefined as never;',
    '}',
    ...(target.kind === 'instance' ? makeInstance(reader, fields, target) : makeData(reader, fields, target)),
    'return result;',
  ];
  return lines.join('\n');
}

interface LocalField extends PropertyModel {
  readonly local: string;
}

function readField(reader: ReaderEmitter, field: LocalField, owner: string): string {
  const input = isInherited(field.name)
    ? `${reader.core('ownValue')}(value, ${quoted(field.name)})`
    : `value[${quoted(field.name)}]`;
  const read = reader.expression(field.type, input, field.name, owner + identifierPart(field.name));
  const guarded = field.presence === 'required' ? read : `${input} === undefined ? undefined : ${read}`;
  return `const ${field.local} = ${guarded};`;
}

function keyCount(fields: readonly LocalField[]): string {
  const required = fields.filter((field) => field.presence === 'required').length;
  const others = fields.filter((field) => field.presence !== 'required');
  return [String(required), ...others.map((field) => `(${field.local} === undefined ? 0 : 1)`)].join(' + ');
}

/** The class is constructed only from what is valid; its own initialisers fill what was left out. */
function makeInstance(reader: ReaderEmitter, fields: readonly LocalField[], target: ObjectTarget): string[] {
  const viaConstructor = target.type?.constructorProperties ?? [];
  const parameters = viaConstructor.map((name, i) => {
    const field = fields.find((candidate) => candidate.name === name);
    return `${field?.local ?? 'undefined'} as ConstructorParameters<typeof ${target.name}>[${i}]`;
  });
  const draft = reader.coreType('Draft');
  return [
    `const result = new ${target.name}(${parameters.join(', ')}) as ${draft}<${target.name}>;`,
    ...fields
      .filter((field) => !viaConstructor.includes(field.name))
      .map((field) => {
        const assign = `result${member(field.name)} = ${asField(reader, field, target)};`;
        return field.presence === 'required' ? assign : `if (${field.local} !== undefined) ${assign}`;
      }),
  ];
}

function makeData(reader: ReaderEmitter, fields: readonly LocalField[], target: ObjectTarget): string[] {
  const initialised = fields.some((field) => field.presence === 'initialised');
  const lines: string[] = [];
  if (initialised && target.type !== null) lines.push(`const defaults = new ${reader.className(target.type)}();`);
  const always = fields.filter((field) => field.presence !== 'optional');
  const entries = always.map((field) => {
    const value = asField(reader, field, target);
    if (field.presence === 'required') return `  ${propertyKey(field.name)}: ${value},`;
    return `  ${propertyKey(field.name)}: ${field.local} === undefined ? defaults${member(field.name)} : ${value},`;
  });
  const draft = reader.coreType('Draft');
  // Every object literal has these names already, as methods of another type.
  const isConfusing = fields.some((field) => field.presence === 'optional' && isInherited(field.name));
  lines.push(
    `const result${isConfusing ? '' : `: ${draft}<${target.name}>`} = {`,
    ...entries,
    isConfusing ? `} as object as ${draft}<${target.name}>;` : '};',
  );
  for (const field of fields) {
    if (field.presence !== 'optional') continue;
    lines.push(`if (${field.local} !== undefined) result${member(field.name)} = ${asField(reader, field, target)};`);
  }
  return lines;
}

function asField(reader: ReaderEmitter, field: LocalField, target: ObjectTarget): string {
  return `${field.local} as ${reader.coreType('Field')}<${target.name}, ${quoted(field.name)}>`;
}

/** Locals are called as their properties are, where that is a name and nothing else in the file can have it. */
function localName(name: string, index: number): string {
  const usable = /^[a-z_$][\w$]*$/.test(name) && !taken.has(name) && !keywords.has(name) && !declared.test(name);
  return usable ? name : `field${index}`;
}
