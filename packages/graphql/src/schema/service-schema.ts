import { ServiceError, type GraphQLDescription, type ReadyEndpoint } from '@svc/core';
import {
  buildASTSchema,
  GraphQLObjectType,
  GraphQLUnionType,
  Kind,
  parse,
  validateSchema,
  type DocumentNode,
  type GraphQLField,
  type GraphQLSchema,
} from 'graphql';
import type { OperationContext } from '../request-context.js';
import { defineScalars } from './scalars.js';

/** The schema of a service twice: as callers see it, and as it is executed. */
export interface ServiceSchema {
  /** What documents are validated against, and what introspection shows. */
  readonly published: GraphQLSchema;
  /**
   * The same, but that its inputs are scalars which let everything through. A document that fits the published schema fits it as
   * well, and an argument reaches the endpoint's reader as it was sent: checked once, copied never.
   */
  readonly executed: GraphQLSchema;
}

/** Says how a mutation is executed. */
export type ResolverOf = (
  endpoint: ReadyEndpoint,
  field: GraphQLField<unknown, unknown>,
) => (root: unknown, args: Record<string, unknown>, context: never) => unknown;

export function serviceSchema(
  description: GraphQLDescription | undefined,
  endpoints: readonly ReadyEndpoint[],
  resolverOf: ResolverOf,
  serviceName: string,
): ServiceSchema {
  if (description === undefined) throw mismatch('The service has no GraphQL schema');
  const document = parse(description.sdl);
  const published = buildASTSchema(document);
  const [fault] = validateSchema(published);
  if (fault !== undefined) throw mismatch(`The GraphQL schema of the service is not valid (${fault.message})`);
  const executed = buildASTSchema(withOpenInputs(document), { assumeValid: true });
  for (const schema of [published, executed]) {
    defineScalars(schema);
    schema.getQueryType()!.getFields()['service']!.resolve = () => serviceName;
  }
  defineResults(executed, description);
  defineMutations(executed, endpoints, resolverOf);
  return { published, executed };
}

function withOpenInputs(document: DocumentNode): DocumentNode {
  return {
    ...document,
    definitions: document.definitions.map((definition) =>
      definition.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION
        ? { kind: Kind.SCALAR_TYPE_DEFINITION, name: definition.name }
        : definition,
    ),
  };
}

function defineResults(schema: GraphQLSchema, { fields, unions }: GraphQLDescription): void {
  for (const [typeName, resolvers] of Object.entries(fields)) {
    const type = schema.getType(typeName);
    if (!(type instanceof GraphQLObjectType))
      throw mismatch(`The GraphQL schema of the service has no type ${typeName}`);
    for (const [field, resolve] of Object.entries(resolvers)) {
      type.getFields()[field]!.resolve = (parent, _args, { request }: OperationContext) =>
        request.idempotencyKey === undefined ? resolve(parent as never) : ownProperty(parent as object, field);
    }
  }
  for (const [name, memberOf] of Object.entries(unions)) {
    const type = schema.getType(name);
    if (!(type instanceof GraphQLUnionType)) throw mismatch(`The GraphQL schema of the service has no union ${name}`);
    type.resolveType = (value) => memberOf(value as never);
  }
}

/** Of a result that comes from under an idempotency key: it is JSON already. */
function ownProperty(parent: object, field: string): unknown {
  return Object.hasOwn(parent, field) ? (parent as Record<string, unknown>)[field] : null;
}

function defineMutations(schema: GraphQLSchema, endpoints: readonly ReadyEndpoint[], resolverOf: ResolverOf): void {
  const fields = { ...schema.getMutationType()?.getFields() };
  for (const endpoint of endpoints) {
    const { graphQLMutation: name } = endpoint;
    if (name === null || name === '') continue;
    const field = fields[name];
    if (field?.args.length !== 1)
      throw mismatch(`The GraphQL schema of the service has no mutation ${name} with one argument`);
    const resolve = resolverOf(endpoint, field);
    field.resolve = (root, args: Record<string, unknown>, context) => resolve(root, args, context as never);
    delete fields[name];
  }
  const [unserved] = Object.keys(fields);
  if (unserved !== undefined) throw mismatch(`No endpoint of the service has the GraphQL mutation ${unserved}`);
}

function mismatch(what: string): ServiceError {
  return new ServiceError(
    'SVC_NO_GRAPHQL_SCHEMA',
    `${what}. Give at least one command a graphQLMutation, and run svc generate.`,
  );
}
