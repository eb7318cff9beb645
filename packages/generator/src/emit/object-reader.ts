import type { NamedType, ObjectType, PropertyModel } from '../model/index.js';
import { identifierPart } from './names.js';
import type { ReaderScope } from './reader-scope.js';
import { isInherited, member, quoted } from './source-file.js';

/** What an object reader creates: an instance of a class, or plain data. */
export interface ObjectTarget {
  readonly kind: 'instance' | 'data';
  /** The TypeScript type of the result. */
  readonly name: string;
  /** The named type; its class supplies defaults. */
  readonly type: NamedType | null;
}

/** Names that a property's local variable must not have: those of the function, of its imports and of other declarations. */
const reserved = new Set(
  (
    'value issues start keyCount result defaults undefined atLeast atMost countKeys decimalAtLeast decimalAtMost formatted ' +
    'isObject isPoisonKey itemsWithin lengthAtLeast lengthAtMost matching ownValue removeUnknown unwritable readable personalText'
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

export function objectReaderBody(reader: ReaderScope, type: ObjectType, owner: string, target: ObjectTarget): string {
  const fields = type.properties.map(({ name, type: ofField, presence, personal }, i): LocalField => ({
    name,
    type: ofField,
    presence,
    ...(personal !== undefined && { personal }),
    local: localName(name, i),
  }));
  const names = type.properties.map(({ name }) => quoted(name));
  // An instance is made of the known properties alone.
  const keys =
    type.isLenient === true && target.kind === 'instance'
      ? null
      : reader.constant(owner, 'Keys', `[${names.join(', ')}]`, ': readonly string[]');
  const lines = [
    `if (!${reader.core('isObject')}(value)) return issues.reject(value, 'an object');`,
    'const start = issues.count;',
    ...fields.map((field) => readField(reader, field, owner, target)),
    ...(type.isLenient === true ? ignoreUnknown(reader, keys) : rejectUnknown(reader, keys!, fields)),
    ...(target.kind === 'instance' ? makeInstance(reader, fields, target) : makeData(reader, fields, target)),
    target.kind === 'instance' ? 'return result;' : `return value as object as ${target.name};`,
  ];
  return lines.join('\n');
}

function rejectUnknown(reader: ReaderScope, keys: string, fields: readonly LocalField[]): string[] {
  return [
    `const keyCount = ${keyCount(fields)};`,
    `if (issues.count !== start || ${reader.core('countKeys')}(value) !== keyCount) {`,
    `  issues.unknownKeys(value, ${keys});`,
    '  if (issues.count !== start) return undefined as never;',
    '}',
  ];
}

/** Plain data is the parsed object itself: `keys` are what stays of it. */
function ignoreUnknown(reader: ReaderScope, keys: string | null): string[] {
  const lines = ['if (issues.count !== start) return undefined as never;'];
  return keys === null ? lines : [...lines, `${reader.core('removeUnknown')}(value, ${keys});`];
}

interface LocalField extends Omit<PropertyModel, 'description'> {
  readonly local: string;
}

function readField(reader: ReaderScope, field: LocalField, owner: string, target: ObjectTarget): string {
  const plain = isInherited(field.name)
    ? `${reader.core('ownValue')}(value, ${quoted(field.name)})`
    : `value[${quoted(field.name)}]`;
  const input = field.personal === undefined ? plain : `${reader.core('readable')}(${plain})`;
  const read = reader.expression(field.type, input, field.name, owner + identifierPart(field.name));
  if (field.presence !== 'required') return `const ${field.local} = ${input} === undefined ? undefined : ${read};`;
  // A value that stays in place needs no variable.
  return target.kind === 'data' && !converts(reader, field) ? `${read};` : `const ${field.local} = ${read};`;
}

/** Personal data that cannot be decrypted become null. */
function converts(reader: ReaderScope, { type, personal }: LocalField): boolean {
  return personal !== undefined || reader.converts(type);
}

function keyCount(fields: readonly LocalField[]): string {
  const required = fields.filter((field) => field.presence === 'required').length;
  const others = fields.filter((field) => field.presence !== 'required');
  return [String(required), ...others.map((field) => `(${field.local} === undefined ? 0 : 1)`)].join(' + ');
}

/** The class is constructed only from valid values; its initialisers supply omitted ones. */
function makeInstance(reader: ReaderScope, fields: readonly LocalField[], target: ObjectTarget): string[] {
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

/** Parsed JSON is not shared, so plain data is the parsed object itself, with converted values put in place. */
function makeData(reader: ReaderScope, fields: readonly LocalField[], target: ObjectTarget): string[] {
  const lines = fields
    .filter((field) => converts(reader, field))
    .map((field) => {
      const assign = `value[${quoted(field.name)}] = ${field.local};`;
      return field.presence === 'required' ? assign : `if (${field.local} !== undefined) ${assign}`;
    });
  const initialised = fields.filter((field) => field.presence === 'initialised');
  if (initialised.length > 0 && target.type !== null) {
    lines.push(`const defaults = new ${reader.className(target.type)}();`);
    for (const { name, local } of initialised) {
      lines.push(`if (${local} === undefined) value[${quoted(name)}] = defaults${member(name)};`);
    }
  }
  return lines;
}

function asField(reader: ReaderScope, field: LocalField, target: ObjectTarget): string {
  return `${field.local} as ${reader.coreType('Field')}<${target.name}, ${quoted(field.name)}>`;
}

/** Locals have the names of their properties, if these are valid and unused in the file. */
function localName(name: string, index: number): string {
  const usable = /^[a-z_$][\w$]*$/.test(name) && !reserved.has(name) && !keywords.has(name) && !declared.test(name);
  return usable ? name : `field${index}`;
}
