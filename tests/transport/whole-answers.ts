/** Queries that ask for everything, and what their answers are when REST answers with a value. */
import {
  getNullableType,
  isLeafType,
  isListType,
  isObjectType,
  isUnionType,
  getNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
} from 'graphql';

/** Types may contain themselves. */
const deepest = 5;

/** Everything that can be asked of a type. */
export function wholeSelection(type: GraphQLOutputType, depth = deepest): string {
  const named = getNamedType(type);
  if (isUnionType(named)) {
    const members = named
      .getTypes()
      .map((member) => `... on ${member.name} ${fieldsOf(member, depth, `${member.name}_`)}`);
    return `{ __typename ${members.join(' ')} }`;
  }
  return isObjectType(named) ? fieldsOf(named, depth, '') : '';
}

/** The fields of a union's members are renamed: two of them may have one name and two types. */
function fieldsOf(type: GraphQLObjectType, depth: number, prefix: string): string {
  const fields = Object.values(type.getFields())
    .filter((field) => depth > 1 || isLeafType(getNamedType(field.type)))
    .map(
      ({ name, type: inner }) =>
        `${prefix === '' ? '' : `${prefix}${name}: `}${name} ${wholeSelection(inner, depth - 1)}`,
    );
  return `{ ${fields.length === 0 ? '__typename' : fields.join(' ')} }`;
}

/** What GraphQL answers where REST answers with `value`: null for what is not there. `answer` says which members of unions there are. */
export function wholeAnswer(value: unknown, answer: unknown, type: GraphQLOutputType, depth = deepest): unknown {
  const nullable = getNullableType(type);
  if (value === null || value === undefined) return null;
  if (isListType(nullable)) {
    return (value as unknown[]).map((item, i) => wholeAnswer(item, (answer as unknown[])[i], nullable.ofType, depth));
  }
  if (isUnionType(nullable)) {
    const { __typename: name } = answer as { __typename: string };
    const member = nullable.getTypes().find((found) => found.name === name);
    if (member === undefined) throw new Error(`${name} is no member of ${nullable.name}.`);
    return { __typename: name, ...objectAnswer(value, answer, member, depth, `${name}_`) };
  }
  return isObjectType(nullable) ? objectAnswer(value, answer, nullable, depth, '') : value;
}

function objectAnswer(
  value: object,
  answer: unknown,
  type: GraphQLObjectType,
  depth: number,
  prefix: string,
): Record<string, unknown> {
  const fields = Object.values(type.getFields()).filter((field) => depth > 1 || isLeafType(getNamedType(field.type)));
  if (fields.length === 0) return { __typename: type.name };
  return Object.fromEntries(
    fields.map(({ name, type: inner }) => {
      const given = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
      const key = `${prefix}${name}`;
      return [key, wholeAnswer(given, (answer as Record<string, unknown>)[key], inner, depth - 1)];
    }),
  );
}
