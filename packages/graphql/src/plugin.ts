import type { Service } from '@svc/core';
import type { PerspectiveQuery, ReadyEndpoint } from '@svc/core/hosting';
import { routeReporter } from '@svc/http/hosting';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import { mercurius, type MercuriusOptions } from 'mercurius';
import { executor } from './execution.js';
import { addExplorerFiles, sendExplorer } from './explorer/index.js';
import { acceptJsonOnly, addGraphQLRoutes, answerErrors, rejectOtherMethods } from './http/index.js';
import { auditResolver } from './audit-resolver.js';
import { mutationResolvers } from './mutation-resolvers.js';
import { PreparedDocuments } from './operations/index.js';
import { settingsOf, type SvcGraphQLOptions } from './options.js';
import { queryResolvers } from './query-resolvers.js';
import { serviceSchema } from './schema/index.js';

/**
 * Serves the mutations and queries of a service over GraphQL: `await app.register(svcGraphQL(service))`. Registering the plugin starts the
 * service, so configuration errors occur before the host listens.
 */
export function svcGraphQL<TServices extends object>(
  service: Service<TServices>,
  options: SvcGraphQLOptions = {},
): FastifyPluginAsync {
  // Async, because only then Fastify treats an exception as a failure of the plugin.
  return async function svcGraphQLRoutes(app: FastifyInstance): Promise<void> {
    const settings = settingsOf(options);
    service.start();
    await service.ready();
    const reportRoute = routeReporter(service.telemetry);
    if (reportRoute !== null) app.addHook('onRequest', reportRoute);
    const { graphql: description, messages } = service.registry;
    const name = messages[0]?.type.split('.').slice(0, -1).join('.') ?? '';
    const auditQuery = service.auditQueries?.graphQLQuery ?? null;
    const queries = new Map(queryResolvers(service));
    if (auditQuery !== null) queries.set(auditQuery, auditResolver(service));
    const schema = serviceSchema(description, { mutations: mutationResolvers(service), queries }, name, auditQuery);
    await app.register(mercurius, mercuriusOptions(schema.executed));
    acceptJsonOnly(app, settings.bodyLimit);
    answerErrors(app);
    addGraphQLRoutes(app, settings, {
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
      execute: executor(app, schema),
      access: service.access,
      allowsAnonymous: allowsAnonymous(service),
      sendPage: settings.explorer ? (reply) => sendExplorer(reply, settings.path) : null,
    });
    rejectOtherMethods(app, settings.path, ['PUT', 'PATCH', 'DELETE']);
    if (settings.explorer) addExplorerFiles(app, settings.path);
  };
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

/** svc handles routes, limits and errors; Mercurius executes, and compiles repeated documents. */
function mercuriusOptions(schema: GraphQLSchema): MercuriusOptions {
  // Mercurius' types lack the options of the compiler, which it passes on.
  const compilerOptions = { compilerOptions: { disablingCapturingStackErrors: true } };
  return {
    schema,
    routes: false,
    jit: 1,
    // Unchanged: missing data means that nothing was executed, which differs from data that is null.
    errorFormatter: (execution) => ({ statusCode: 200, response: execution }),
    ...compilerOptions,
  };
}
