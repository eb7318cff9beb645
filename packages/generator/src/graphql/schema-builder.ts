import { problem, type Problem } from '../diagnostics/index.js';
import type { EndpointModel, NamedType, PerspectiveModel, ServiceModel } from '../model/index.js';
import { findEndless } from './endless-inputs.js';
import { QueryBuilder } from './query-builder.js';
import type { GraphQLRootField, GraphQLSchemaModel } from './schema-model.js';
import { TagUse } from './tag-use.js';
import { TypeBuilder } from './type-builder.js';

/** A feature of a mutation or query that GraphQL cannot express. */
export interface GraphQLFault {
  /** The endpoint or perspective that requires it. */
  readonly of: EndpointModel | PerspectiveModel;
  readonly problem: Problem;
}

export interface GraphQLSchemaResult {
  readonly schema: GraphQLSchemaModel;
  readonly faults: readonly GraphQLFault[];
}

/** Whether a service has anything that is served over GraphQL. */
export function hasGraphQL({ endpoints, perspectives }: ServiceModel): boolean {
  return endpoints.some(({ graphQLMutation }) => graphQLMutation !== null) || perspectives.some(hasQuery);
}

/** The GraphQL schema of all commands with a mutation and perspectives with a query; null if there are none. */
export function graphQLSchema(model: ServiceModel): GraphQLSchemaResult | null {
  if (!hasGraphQL(model)) return null;
  const endpoints = model.endpoints.filter((endpoint) => endpoint.graphQLMutation !== null);
  const typesById = new Map(model.types.map((type) => [type.id, type]));
  const find = (id: string): NamedType => typesById.get(id)!;
  const commands = new Map(model.messages.map((message) => [message.name, message.typeId]));
  const requestIdOf = (endpoint: EndpointModel): string => endpoint.requestTypeId ?? commands.get(endpoint.command)!;

  const faults: GraphQLFault[] = [];
  const types = new TypeBuilder(find, new TagUse(endpoints.map(requestIdOf), find), report);
  // A fault belongs to the operation that is being built.
  let of: GraphQLFault['of'];
  function report(found: Problem): void {
    faults.push({ of, problem: found });
  }

  const mutations = endpoints.map((endpoint) => {
    of = endpoint;
    const request = find(requestIdOf(endpoint));
    const endless = findEndless(request, find);
    if (endless !== null) report(problem('SVC1505', endless));
    return mutationField(endpoint, request, types);
  });
  const builder = new QueryBuilder(find, types);
  const read = model.perspectives.filter(hasQuery).map((perspective) => {
    of = perspective;
    return builder.fieldsOf(perspective);
  });
  const { definitions } = types;
  const schema = {
    queries: read.flatMap(({ queries }) => queries).toSorted(byName),
    mutations: mutations.toSorted(byName),
    subscriptions: read.flatMap(({ subscriptions }) => subscriptions).toSorted(byName),
    definitions: definitions.sorted(),
    scalars: definitions.scalars(),
  };
  return { schema, faults };
}

function hasQuery({ graphQLQuery, graphQLListQuery }: PerspectiveModel): boolean {
  return graphQLQuery !== null || graphQLListQuery !== null;
}

function mutationField(endpoint: EndpointModel, request: NamedType, types: TypeBuilder): GraphQLRootField {
  const { command, description, graphQLMutation, requestTypeId } = endpoint;
  const argument = types.typeOf(
    { kind: 'ref', id: request.id },
    { direction: 'input', base: request.name, where: request.name },
  );
  const type = types.typeOf(endpoint.result, {
    direction: 'output',
    base: `${command}Result`,
    where: `the result of ${command}`,
  });
  const name = requestTypeId === null ? 'command' : 'request';
  return {
    name: graphQLMutation!,
    description,
    arguments: [{ name, type: argument, description: null, defaultValue: null }],
    type,
  };
}

function byName(a: GraphQLRootField, b: GraphQLRootField): number {
  return a.name < b.name ? -1 : 1;
}
