import { graphQLSchema, printSchema } from '../graphql/index.js';
import type { EndpointModel, MessageModel, ServiceModel } from '../model/index.js';
import { GraphQLInputEmitter } from './graphql-inputs.js';
import { fieldEntries, unionEntries } from './graphql-results.js';
import { graphqlModule } from './names.js';
import { indented, propertyKey, SourceFile } from './source-file.js';
import type { TypeIndex } from './type-index.js';

/** The schema, and where GraphQL values differ from JSON; null if nothing is served over GraphQL. */
export function emitGraphQL(model: ServiceModel, types: TypeIndex): SourceFile[] {
  const result = graphQLSchema(model);
  if (result === null) return [];
  const file = new SourceFile(graphqlModule);
  file.uniqueName('graphql');
  const members = [
    `sdl: ${templateLiteral(printSchema(result.schema))},`,
    entries('inputs', inputEntries(model, new GraphQLInputEmitter(file, types))),
    entries('fields', fieldEntries(result.schema, file, types)),
    entries('unions', unionEntries(result.schema, file, types)),
  ];
  const type = file.useType('@svc/core/hosting', 'GraphQLDescription');
  // The SDL is not indented.
  const [sdl = '', ...others] = members;
  const body = [`  ${sdl}`, ...others.map(indented)].join('\n');
  file.declare(`/** What is served over GraphQL. */\nexport const graphql: ${type} = {\n${body}\n};`);
  return [file];
}

function inputEntries(model: ServiceModel, inputs: GraphQLInputEmitter): string[] {
  const commands = new Map(model.messages.map((message) => [message.name, message]));
  return model.endpoints
    .filter((endpoint) => endpoint.graphQLMutation !== null)
    .toSorted((a, b) => (a.graphQLMutation! < b.graphQLMutation! ? -1 : 1))
    .flatMap((endpoint) => {
      const prepare = inputs.functionFor({ kind: 'ref', id: requestId(endpoint, commands) }, endpoint.command);
      return prepare === null ? [] : [`${propertyKey(endpoint.graphQLMutation!)}: ${prepare},`];
    });
}

function requestId(endpoint: EndpointModel, commands: ReadonlyMap<string, MessageModel>): string {
  return endpoint.requestTypeId ?? commands.get(endpoint.command)!.typeId;
}

function entries(name: string, lines: readonly string[]): string {
  return lines.length === 0 ? `${name}: {},` : `${name}: {\n${indented(lines.join('\n'))}\n},`;
}

function templateLiteral(text: string): string {
  return `\`${text.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${')}\``;
}
