import type { GraphQLObject, GraphQLSchemaModel, GraphQLUnion } from '../graphql/index.js';
import type { PropertyModel, TypeModel } from '../model/index.js';
import { capitalised, identifierPart } from './names.js';
import { indented, isInherited, literal, member, propertyKey, quoted, type SourceFile } from './source-file.js';
import type { TypeIndex } from './type-index.js';
import { TypeText } from './type-text.js';
import { WriterEmitter } from './writer-emitter.js';

/** By object type, the fields whose value is not simply the property: those that become JSON as a whole are written as JSON. */
export function fieldEntries(schema: GraphQLSchemaModel, file: SourceFile, types: TypeIndex): string[] {
  const texts = new TypeText(file, types);
  const writer = new WriterEmitter(file, types, texts);
  return schema.definitions.flatMap((definition) => {
    if (definition.kind !== 'type' || definition.source.kind !== 'object') return [];
    const fields = definition.source.properties.flatMap((property) => fieldEntry(property, definition));
    return fields.length === 0 ? [] : [`${definition.name}: {\n${indented(fields.join('\n'))}\n},`];
  });

  function fieldEntry(property: PropertyModel, definition: GraphQLObject): string[] {
    const type = definition.fields.find(({ name }) => name === property.name)?.type ?? '';
    const isJson = /^\[*JSON\b/.test(type) && property.type.kind !== 'json';
    if (!isJson && !(isInherited(property.name) && property.presence === 'optional')) return [];
    const parent = definition.typeId === null ? texts.of(definition.source) : texts.named(definition.typeId);
    const value = `parent${member(property.name)}`;
    const isThere = isInherited(property.name)
      ? `Object.hasOwn(parent, ${quoted(property.name)})`
      : `${value} !== undefined`;
    const written = isJson ? `JSON.parse(${writerOf(property, definition)}(${value})) as unknown` : value;
    const result = property.presence === 'optional' ? `(${isThere} ? ${written} : null)` : `(${written})`;
    return [`${propertyKey(property.name)}: (parent: ${parent}) => ${result},`];
  }

  function writerOf(property: PropertyModel, definition: GraphQLObject): string {
    const name = file.uniqueName(`write${definition.name}${identifierPart(capitalised(property.name))}`);
    writer.emitUnnamed(name, property.type);
    return name;
  }
}

/** By union, the member type of a value. */
export function unionEntries(schema: GraphQLSchemaModel, file: SourceFile, types: TypeIndex): string[] {
  const texts = new TypeText(file, types);
  return schema.definitions
    .filter((definition) => definition.kind === 'union')
    .map((union) => `${union.name}: ${memberFunction(union, textOf(union, texts))},`);
}

function textOf({ source, typeId }: GraphQLUnion, texts: TypeText): string {
  return typeId === null ? texts.of(source satisfies TypeModel) : texts.named(typeId);
}

function memberFunction({ source, arms }: GraphQLUnion, type: string): string {
  const cases = arms.map(({ value, member: name }) => `  case ${literal(value)}:\n    return ${quoted(name)};`);
  const lines = [
    `switch (value${member(source.tag)} as string | number | boolean) {`,
    ...cases,
    '  default:',
    '    return undefined;',
    '}',
  ];
  return `(value: ${type}) => {\n${indented(lines.join('\n'))}\n}`;
}
