import { problem, type Problem } from '../diagnostics/index.js';
import type { EndpointModel, NamedType, ServiceModel } from '../model/index.js';
import { findEndless } from './endless-inputs.js';
import type { GraphQLMutationField, GraphQLSchemaModel } from './schema-model.js';
import { TagUse } from './tag-use.js';
import { TypeBuilder } from './type-builder.js';

/** Something about a mutation that GraphQL cannot express. */
export interface GraphQLFault {
  /** Name of the command's `MessageModel`. */
  readonly command: string;
  readonly problem: Problem;
}

export interface GraphQLSchemaResult {
  readonly schema: GraphQLSchemaModel;
  readonly faults: readonly GraphQLFault[];
}

/** The GraphQL schema of the commands that have a mutation; null when none has. */
export function graphQLSchema(model: ServiceModel): GraphQLSchemaResult | null {
  const endpoints = model.endpoints.filter((endpoint) => endpoint.graphQLMutation !== null);
  if (endpoints.length === 0) return null;
  const typesById = new Map(model.types.map((type) => [type.id, type]));
  const find = (id: string): NamedType => typesById.get(id)!;
  const commands = new Map(model.messages.map((message) => [message.name, message.typeId]));
  const requestIdOf = (endpoint: EndpointModel): string => endpoint.requestTypeId ?? commands.get(endpoint.command)!;

  const faults: GraphQLFault[] = [];
  // A fault belongs to the mutation that is being built when it is found.
  let command = '';
  const report = (found: Problem): void => void faults.push({ command, problem: found });

  const types = new TypeBuilder(find, new TagUse(endpoints.map(requestIdOf), find), report);
  const mutations = endpoints.map((endpoint) => {
    ({ command } = endpoint);
    const request = find(requestIdOf(endpoint));
    const endless = findEndless(request, find);
    if (endless !== null) report(problem('SVC1505', endless));
    return mutationField(endpoint, request, types);
  });
  const { definitions } = types;
  const schema = {
    mutations: mutations.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    definitions: definitions.sorted(),
    scalars: definitions.scalars(),
  };
  return { schema, faults };
}

function mutationField(endpoint: EndpointModel, request: NamedType, types: TypeBuilder): GraphQLMutationField {
  const { command, description, graphQLMutation, requestTypeId } = endpoint;
  const argument = types.typeOf(
    { kind: 'ref', id: request.id },
    { direction: 'input', base: request.name, where: request.name },
  );
  const result = types.typeOf(endpoint.result, {
    direction: 'output',
    base: `${command}Result`,
    where: `the result of ${command}`,
  });
  return {
    name: graphQLMutation!,
    description,
    argument: { name: requestTypeId === null ? 'command' : 'request', type: argument },
    result,
  };
}
