import {
  scalarDescriptions,
  type GraphQLArgument,
  type GraphQLDefinition,
  type GraphQLField,
  type GraphQLRootField,
  type GraphQLSchemaModel,
} from './schema-model.js';

/** GraphQL requires at least one query: this one, if there is no other. */
const placeholder: GraphQLRootField = {
  name: 'service',
  type: 'String!',
  description: 'The name of the service.',
  arguments: [],
};

/** Writes a schema in SDL: queries, mutations and subscriptions first, then the types by name, then the scalars. */
export function printSchema(schema: GraphQLSchemaModel): string {
  const { queries, mutations, subscriptions, definitions, scalars } = schema;
  const parts = [
    printFields('type Query', (queries.length === 0 ? [placeholder] : queries).map(withArguments)),
    ...(mutations.length === 0 ? [] : [printFields('type Mutation', mutations.map(withArguments))]),
    ...(subscriptions.length === 0 ? [] : [printFields('type Subscription', subscriptions.map(withArguments))]),
    ...definitions.map(printDefinition),
    ...scalars.map((name) => `${described(scalarDescriptions[name], '')}scalar ${name}`),
  ];
  return `${parts.join('\n\n')}\n`;
}

function printDefinition(definition: GraphQLDefinition): string {
  const about = described(definition.description, '');
  switch (definition.kind) {
    case 'enum':
      return `${about}enum ${definition.name} {\n${definition.values.map((value) => `  ${value}\n`).join('')}}`;
    case 'union':
      return `${about}union ${definition.name} = ${definition.members.join(' | ')}`;
    case 'input':
    case 'type': {
      const head = `${definition.kind} ${definition.name}${definition.isOneOf ? ' @oneOf' : ''}`;
      return about + printFields(head, definition.fields);
    }
  }
}

function withArguments({ name, arguments: given, type, description }: GraphQLRootField): GraphQLField {
  return { name: `${name}${printArguments(given)}`, type, description };
}

/** On one line, unless an argument has a description. */
function printArguments(given: readonly GraphQLArgument[]): string {
  if (given.length === 0) return '';
  const texts = given.map(
    ({ name, type, defaultValue }) => `${name}: ${type}${defaultValue === null ? '' : ` = ${defaultValue}`}`,
  );
  if (given.every(({ description }) => description === null)) return `(${texts.join(', ')})`;
  const lines = given.map(({ description }, i) => `${described(description, '    ')}    ${texts[i]}\n`);
  return `(\n${lines.join('')}  )`;
}

function printFields(head: string, fields: readonly GraphQLField[]): string {
  const lines = fields.map(({ name, type, description }) => `${described(description, '  ')}  ${name}: ${type}\n`);
  return `${head} {\n${lines.join('')}}`;
}

/** A block string in front of the definition it describes. */
function described(description: string | null, margin: string): string {
  if (description === null || description.trim() === '') return '';
  const text = description.replaceAll('"""', '\\"""').trim();
  const lines =
    text.includes('\n') || text.endsWith('"') || text.endsWith('\\') ? ['', ...text.split('\n'), ''] : [text];
  return `${margin}"""${lines.map((line, i) => (i === 0 ? line : margin + line)).join('\n')}"""\n`;
}
