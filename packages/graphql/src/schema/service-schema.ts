import { ServiceError } from '@svc/core';
import type { GraphQLDescription } from '@svc/core/hosting';
import type { LiveStep } from '@svc/core/hosting';
import {
  buildASTSchema,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLUnionType,
  Kind,
  parse,
  validateSchema,
  type DocumentNode,
  type GraphQLField,
} from 'graphql';
import { fieldFailure } from '../field-failure.js';
import type { OperationContext } from '../request-context.js';
import { withAuditQuery } from './audit-schema.js';
import { defineScalars } from './scalars.js';
import type { SourceOf, SubscriptionSource } from './subscription-source.js';

/** The two schemas of a service: the published one and the executed one. */
export interface ServiceSchema {
  /** The schema for validation and introspection. */
  readonly published: GraphQLSchema;
  /**
   * The same, but its inputs are scalars that accept everything. A document that is valid in the published schema is valid here, and an argument
   * reaches the endpoint's reader as sent: checked once, never copied.
   */
  readonly executed: GraphQLSchema;
  /** By name. Empty if the host serves no live queries. */
  readonly subscriptions: ReadonlyMap<string, ServedSubscription>;
}

/** The field of a subscription in the executed schema, and what it watches. */
export interface ServedSubscription {
  readonly field: GraphQLField<unknown, unknown>;
  readonly source: SubscriptionSource;
}

/** Returns the resolver of a mutation or a query. */
export type ResolverOf = (
  field: GraphQLField<unknown, unknown>,
) => (root: unknown, args: Record<string, unknown>, context: OperationContext) => unknown;

/** The resolvers of a service, by the names of its mutations, queries and subscriptions. */
export interface Resolvers {
  readonly mutations: ReadonlyMap<string, ResolverOf>;
  readonly queries: ReadonlyMap<string, ResolverOf>;
  /** Null: the host serves no live queries. */
  readonly subscriptions: ReadonlyMap<string, SourceOf> | null;
}

export function serviceSchema(
  description: GraphQLDescription | undefined,
  { mutations, queries, subscriptions: sources }: Resolvers,
  serviceName: string,
  auditQuery: string | null = null,
): ServiceSchema {
  if (description === undefined) throw mismatch('The service has no GraphQL schema');
  const own = parse(description.sdl);
  const document = auditQuery === null ? own : withAuditQuery(own, auditQuery, placeholder);
  const whole = buildASTSchema(document);
  const [fault] = validateSchema(whole);
  if (fault !== undefined) throw mismatch(`The GraphQL schema of the service is not valid (${fault.message})`);
  const executed = buildASTSchema(withOpenInputs(document), { assumeValid: true });
  // An introspection can contain other fields, which the published schema then resolves.
  for (const schema of [whole, executed]) {
    defineScalars(schema);
    defineResults(schema, description);
    defineQueries(schema, queries, serviceName);
  }
  defineMutations(executed, mutations);
  if (sources === null) return { published: withoutSubscriptions(whole), executed, subscriptions: new Map() };
  return { published: whole, executed, subscriptions: defineSubscriptions(executed, sources) };
}

/** Without the types that only subscriptions use. */
function withoutSubscriptions(schema: GraphQLSchema): GraphQLSchema {
  return new GraphQLSchema({ ...schema.toConfig(), subscription: null, types: [] });
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

/** A schema from before there were subscriptions has none. */
function defineSubscriptions(
  schema: GraphQLSchema,
  sources: ReadonlyMap<string, SourceOf>,
): ReadonlyMap<string, ServedSubscription> {
  const served = new Map<string, ServedSubscription>();
  for (const [name, field] of Object.entries(schema.getSubscriptionType()?.getFields() ?? {})) {
    const source = sources.get(name)?.(field);
    if (source === undefined)
      throw mismatch(`No perspective of the service has the GraphQL query ${name} of its subscription`);
    field.resolve = (step, _args, context) => {
      try {
        return source.valueOf(step as LiveStep);
      } catch (error) {
        throw fieldFailure(error, 'subscription', (context as OperationContext).request);
      }
    };
    served.set(name, { field, source });
  }
  return served;
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
