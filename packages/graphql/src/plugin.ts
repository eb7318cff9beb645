import type { Service } from '@svc/core';
import type { PerspectiveQuery, ReadyEndpoint } from '@svc/core/hosting';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import { mercurius, type MercuriusOptions } from 'mercurius';
import { executor } from './execution.js';
import { addExplorerRoutes } from './explorer/index.js';
import { acceptJsonOnly, addGraphQLRoute, answerErrors, refuseOtherMethods } from './http/index.js';
import { mutationResolvers } from './mutation-resolvers.js';
import { PreparedDocuments } from './operations/index.js';
import { settingsOf, type SvcGraphQLOptions } from './options.js';
import { queryResolvers } from './query-resolvers.js';
import { serviceSchema } from './schema/index.js';

/**
 * Serves the mutations and queries of a service over GraphQL: `await app.register(svcGraphQL(service))`. The service is started when the
 * plugin is registered, so what is wrong with it is known before the host listens.
 */
export function svcGraphQL<TServices extends object>(
  service: Service<TServices>,
  options: SvcGraphQLOptions = {},
): FastifyPluginAsync {
  // Async, because Fastify takes what is thrown here for the plugin's failure only then.
  return async function svcGraphQLRoutes(app: FastifyInstance): Promise<void> {
    const settings = settingsOf(options);
    service.start();
    await service.ready();
    const { graphql: description, messages } = service.registry;
    const name = messages[0]?.type.split('.').slice(0, -1).join('.') ?? '';
    const resolvers = { mutations: mutationResolvers(service), queries: queryResolvers(service) };
    const schema = serviceSchema(description, resolvers, name);
    await app.register(mercurius, mercuriusOptions(schema.executed));
    acceptJsonOnly(app, settings.bodyLimit);
    answerErrors(app);
    addGraphQLRoute(app, settings, {
      documents: new PreparedDocuments(schema.published, settings, {
        limits: settings.limits,
        size: 500,
        usesBeforeCompilation: 1,
      }),
      // In a cache of their own, and seldom compiled: callers without a credential displace no document of others.
      anonymousDocuments: new PreparedDocuments(schema.published, settings, {
        limits: settings.anonymous,
        size: 100,
        usesBeforeCompilation: 10,
      }),
      execute: executor(app, schema),
      access: service.access,
      allowsAnonymous: allowsAnonymous(service),
    });
    refuseOtherMethods(app, settings.path, ['PUT', 'PATCH', 'DELETE', ...(settings.explorer ? [] : ['GET'])]);
    if (settings.explorer) addExplorerRoutes(app, settings.path);
  };
}

/** Whether a mutation or a query of the service is for callers without a credential. */
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

/** Routes, limits and errors are ours: Mercurius executes, and compiles what is executed again. */
function mercuriusOptions(schema: GraphQLSchema): MercuriusOptions {
  // Its types do not know the options of the compiler, which go through it.
  const compilerOptions = { compilerOptions: { disablingCapturingStackErrors: true } };
  return {
    schema,
    routes: false,
    jit: 1,
    // As they are: without data nothing was executed, and that is to be told from an answer that is null.
    errorFormatter: (execution) => ({ statusCode: 200, response: execution }),
    ...compilerOptions,
  };
}
