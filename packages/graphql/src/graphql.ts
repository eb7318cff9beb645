import type { Service } from '@svc/core';
import type { PerspectiveQuery, ReadyEndpoint } from '@svc/core/hosting';
import type { AddedRoutes } from '@svc/http';
import type { LiveConnections, Route } from '@svc/http/hosting';
import { auditResolver } from './audit-resolver.js';
import { executor } from './execution.js';
import { explorer, explorerFiles } from './explorer/index.js';
import { operationRoutes } from './http/index.js';
import { mutationResolvers } from './mutation-resolvers.js';
import { PreparedDocuments } from './operations/index.js';
import { settingsOf, type GraphQLOptions, type GraphQLSettings } from './options.js';
import { queryResolvers } from './query-resolvers.js';
import { serviceSchema } from './schema/index.js';
import { subscriber, subscriptionSources } from './subscriptions/index.js';

/**
 * Serves the mutations, queries and subscriptions of a service over GraphQL, on any host: `serve(service, { graphql: graphQL() })`, or
 * `app.register(svc(service, { graphql: graphQL() }))` in Fastify.
 */
export function graphQL(options: GraphQLOptions = {}): AddedRoutes {
  const settings = settingsOf(options);
  return (service, live) => graphQLRoutes(service, settings, live);
}

function graphQLRoutes<TServices extends object>(
  service: Service<TServices>,
  settings: GraphQLSettings,
  live: LiveConnections | null,
): readonly Route[] {
  const { graphql: description, messages } = service.registry;
  const name = messages[0]?.type.split('.').slice(0, -1).join('.') ?? '';
  const auditQuery = service.auditQueries?.graphQLQuery ?? null;
  const queries = new Map(queryResolvers(service));
  if (auditQuery !== null) queries.set(auditQuery, auditResolver(service));
  const subscriptions = live === null ? null : subscriptionSources(service);
  const resolvers = { mutations: mutationResolvers(service), queries, subscriptions };
  const schema = serviceSchema(description, resolvers, name, auditQuery);
  const execution = executor(schema);
  const operations = operationRoutes(settings, {
    documents: new PreparedDocuments(schema.published, settings, {
      limits: settings.limits,
      size: 500,
      usesBeforeCompilation: 1,
    }),
    // A separate cache, rarely compiled: callers without a credential displace no document of other callers.
    anonymousDocuments: new PreparedDocuments(schema.published, settings, {
      limits: settings.anonymous,
      size: 100,
      usesBeforeCompilation: 10,
    }),
    execute: execution.execute,
    subscribe: live === null ? null : subscriber(schema, execution, service.access, live),
    access: service.access,
    allowsAnonymous: allowsAnonymous(service),
    page: settings.explorer ? (reply) => explorer(reply, settings.path) : null,
  });
  return settings.explorer ? [...operations, ...explorerFiles(settings.path)] : operations;
}

/** Whether a mutation or a query of the service allows callers without a credential. */
function allowsAnonymous<TServices extends object>({ endpoints, queries }: Service<TServices>): boolean {
  const isMutation = ({ graphQLMutation }: ReadyEndpoint): boolean =>
    graphQLMutation !== null && graphQLMutation !== '';
  const isQuery = ({ access }: PerspectiveQuery): boolean =>
    access.graphQLQuery !== null || access.graphQLListQuery !== null;
  return (
    endpoints.some((endpoint) => endpoint.allowAnonymous && isMutation(endpoint)) ||
    queries.some((query) => query.access.allowAnonymous && isQuery(query))
  );
}
