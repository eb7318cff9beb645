import { ServiceError, type GraphQLDescription } from '@svc/core';
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
import { withAuditQuery } from './audit-schema.js';
import { defineScalars } from './scalars.js';

/** The two schemas of a service: the published one and the executed one. */
export interface ServiceSchema {
  /** The schema for validation and introspection. */
  readonly published: GraphQLSchema;
  /**
   * The same, but its inputs are scalars that accept everything. A document that is valid in the published schema is valid here, and an argument
   * reaches the endpoint's reader as sent: checked once, never copied.
   */
  readonly executed: GraphQLSchema;
}

/** Returns the resolver of a mutation or a query. */
export type ResolverOf = (
  field: GraphQLField<unknown, unknown>,
) => (root: unknown, args: Record<string, unknown>, context: OperationContext) => unknown;

/** The resolvers of a service, by the names of its mutations and queries. */
export interface Resolvers {
  readonly mutations: ReadonlyMap<string, ResolverOf>;
  readonly queries: ReadonlyMap<string, ResolverOf>;
}

export function serviceSchema(
  description: GraphQLDescription | undefined,
  { mutations, queries }: Resolvers,
  serviceName: string,
  auditQuery: string | null = null,
): ServiceSchema {
  if (description === undefined) throw mismatch('The service has no GraphQL schema');
  const own = parse(description.sdl);
  const document = auditQuery === null ? own : withAuditQuery(own, auditQuery, placeholder);
  const published = buildASTSchema(document);
  const [fault] = validateSchema(published);
  if (fault !== undefined) throw mismatch(`The GraphQL schema of the service is not valid (${fault.message})`);
  const executed = buildASTSchema(withOpenInputs(document), { assumeValid: true });
  // An introspection can contain other fields, which the published schema then resolves.
  for (const schema of [published, executed]) {
    defineScalars(schema);
    defineResults(schema, description);
    defineQueries(schema, queries, serviceName);
  }
  defineMutations(executed, mutations);
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
      type.getFields()[field]!.resolve = (parent, _args, { resultIsJson }: OperationContext) =>
        resultIsJson ? ownProperty(parent as object, field) : resolve(parent as never);
    }
  }
  for (const [name, memberOf] of Object.entries(unions)) {
    const type = schema.getType(name);
    if (!(type instanceof GraphQLUnionType)) throw mismatch(`The GraphQL schema of the service has no union ${name}`);
    type.resolveType = (value) => memberOf(value as never);
  }
}

/** Resolves a field of a result that was stored under an idempotency key, which is already JSON. */
function ownProperty(parent: object, field: string): unknown {
  return Object.hasOwn(parent, field) ? (parent as Record<string, unknown>)[field] : null;
}

/** GraphQL requires a query: the schema of a service without queries has this one. */
const placeholder = 'service';

function defineQueries(schema: GraphQLSchema, queries: ReadonlyMap<string, ResolverOf>, serviceName: string): void {
  const fields = schema.getQueryType()?.getFields() ?? {};
  if (queries.size === 0 && Object.keys(fields).join() === placeholder) {
    fields[placeholder]!.resolve = () => serviceName;
    return;
  }
  const unserved = defineFields(fields, queries, 'query');
  if (unserved !== undefined) {
    throw mismatch(`No perspective of the service has the GraphQL query ${unserved}`, 'Call addServicePerspectives()');
  }
}

function defineMutations(schema: GraphQLSchema, mutations: ReadonlyMap<string, ResolverOf>): void {
  const unserved = defineFields(schema.getMutationType()?.getFields() ?? {}, mutations, 'mutation');
  if (unserved !== undefined) throw mismatch(`No endpoint of the service has the GraphQL mutation ${unserved}`);
}

/** Sets the resolvers of fields; returns a field that has none. */
function defineFields(
  fields: Readonly<Record<string, GraphQLField<unknown, unknown>>>,
  resolvers: ReadonlyMap<string, ResolverOf>,
  kind: 'query' | 'mutation',
): string | undefined {
  for (const [name, resolverOf] of resolvers) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined || (kind === 'mutation' && field.args.length !== 1)) {
      const argument = kind === 'mutation' ? ' with one argument' : '';
      throw mismatch(`The GraphQL schema of the service has no ${kind} ${name}${argument}`);
    }
    const resolve = resolverOf(field);
    field.resolve = (root, args: Record<string, unknown>, context) => resolve(root, args, context as OperationContext);
  }
  return Object.keys(fields).find((name) => !resolvers.has(name));
}

function mismatch(
  what: string,
  fix = 'Give a command a graphQLMutation, or a perspective a graphQLQuery',
): ServiceError {
  return new ServiceError('SVC_NO_GRAPHQL_SCHEMA', `${what}. ${fix}, and run svc generate.`);
}
