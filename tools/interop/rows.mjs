/**
 * The rows of docs/reference/interoperability.md: what `npm run interop` runs. A row with `long` is not part of `npm test`; its package is
 * installed in tests/interoperability/long. The tests of a row are those of its files whose name begins with `suite`.
 */

/** How many requests `npm run interop` generates from the OpenAPI document. */
export const openApiRequests = 20_000;

const graphQLClients = 'tests/interoperability/graphql-clients.test.ts';
const typedGraphQLClients = 'tests/transport/graphql-client.test.ts';
const rules = 'tests/openapi/rules.test.ts';
const oauth = 'tests/interoperability/oauth-clients.test.ts';
const hosts = ['tests/http-hosts/contract.test.ts', 'tests/http-hosts/graphql.test.ts'];
const contract = 'The contract of hosts: bodies, errors, limits, access, idempotency, cancellation, REST and GraphQL';
const clientCases = 'Commands, lists, errors, retries, GraphQL documents, live lists with a lost connection';
const clientRuntimes = 'tests/interoperability/long/client-runtimes.long.ts';
const hostCases = 'a command, a query, GraphQL, compressed bodies, problems, idempotency, cancellation';
const generatedClients = 'tests/interoperability/long/generated-clients.long.ts';
const fetchHosts = 'tests/interoperability/long/fetch-hosts.long.ts';

export const rows = [
  {
    client: 'urql',
    package: '@urql/core',
    what: 'Queries by GET (its default), automatic persisted queries, errors of mutations',
    files: [graphQLClients],
    suite: 'urql',
  },
  {
    client: 'Apollo Client',
    package: '@apollo/client',
    what: 'Queries by GET, automatic persisted queries',
    files: [graphQLClients],
    suite: 'Apollo Client',
  },
  {
    client: 'graphql-request',
    package: 'graphql-request',
    what: 'Queries by GET and POST, mutations, errors with JSON Pointers',
    files: [graphQLClients, typedGraphQLClients],
    suite: 'graphql-request',
  },
  {
    client: 'graphql-http',
    package: 'graphql-http',
    what: 'All audits of the GraphQL over HTTP specification: MUST, SHOULD and MAY',
    files: [graphQLClients],
    suite: 'the audits of graphql-http',
  },
  {
    client: 'GraphQL Code Generator',
    package: '@graphql-codegen/typescript-operations',
    what: 'Types from the served schema: a correct client compiles, a wrong one does not',
    files: [typedGraphQLClients],
    suite: 'graphql-codegen',
  },
  {
    client: 'Relay',
    package: 'relay-runtime',
    what: 'Its compiler checks documents against the served schema; a mutation, and a query into its store',
    files: ['tests/interoperability/long/relay.long.ts'],
    suite: 'Relay',
    long: true,
  },
  {
    client: 'openapi-fetch',
    package: 'openapi-fetch',
    what: 'Commands, queries, filters, problems, long keys, compressed bodies',
    files: ['tests/interoperability/openapi-fetch.test.ts'],
    suite: '',
  },
  {
    client: 'openapi-typescript',
    package: 'openapi-typescript',
    what: 'Types from the served document for openapi-fetch: they compile, reject wrong uses, and work',
    files: [generatedClients],
    suite: 'openapi-typescript',
    long: true,
  },
  {
    client: 'Hey API',
    package: '@hey-api/openapi-ts',
    what: 'A client from the served document: it compiles, rejects wrong uses, and works',
    files: [generatedClients],
    suite: 'hey-api',
    long: true,
  },
  {
    client: 'orval',
    package: 'orval',
    what: 'A client from the served document: it compiles, rejects wrong uses, and works',
    files: [generatedClients],
    suite: 'orval',
    long: true,
  },
  {
    client: 'Redocly',
    package: '@redocly/openapi-core',
    what: 'The recommended rules, on the document with and without authentication',
    files: [rules],
    suite: 'the rules of Redocly',
  },
  {
    client: 'Spectral',
    package: '@stoplight/spectral-rulesets',
    what: 'The OpenAPI rules, on the document with and without authentication, except that roles need not be OAuth scopes',
    files: [rules],
    suite: 'the rules of Spectral',
  },
  {
    client: 'Ajv',
    package: 'ajv',
    what: `The responses to ${openApiRequests.toLocaleString('en-US')} requests generated from the document conform to it`,
    files: ['tests/openapi/conformance.test.ts'],
    suite: '',
  },
  {
    client: 'AsyncAPI parser',
    package: '@asyncapi/parser',
    what: 'The AsyncAPI documents of services with RabbitMQ, with the Service Bus and without a broker',
    files: ['tests/asyncapi/parser.test.ts'],
    suite: '',
  },
  {
    client: 'oidc-provider',
    package: 'oidc-provider',
    what: 'Tokens with six algorithms, a change of the signing key',
    files: [oauth],
    suite: 'oidc-provider',
  },
  {
    client: 'oauth4webapi',
    package: 'oauth4webapi',
    what: 'Protected resource metadata (RFC 9728), challenges of 401 and 403 (RFC 6750)',
    files: [oauth],
    suite: 'oauth4webapi',
  },
  {
    client: 'CloudEvents SDK',
    package: 'cloudevents',
    what: 'Events over RabbitMQ in binary and structured mode, with ids of other systems',
    files: ['tests/rabbitmq/cloud-events.test.ts'],
    suite: '',
  },
  {
    client: 'OpenTelemetry SDK',
    package: '@opentelemetry/sdk-trace-base',
    what: 'Spans of commands, databases and brokers; background work is its own trace, with links',
    files: ['tests/telemetry/conventions.test.ts', 'tests/telemetry/background.test.ts'],
    suite: '',
  },
  {
    client: 'OpenTelemetry HTTP instrumentation',
    package: '@opentelemetry/instrumentation-http',
    what: 'The route of requests in its spans and metrics',
    files: ['tests/telemetry/conventions.test.ts'],
    suite: 'http.route',
  },
  { client: 'Fastify', package: 'fastify', what: contract, files: hosts, suite: "on 'Fastify'" },
  { client: 'Express', package: 'express', what: contract, files: hosts, suite: "on 'Express'" },
  { client: 'NestJS', package: '@nestjs/core', what: contract, files: hosts, suite: "on 'NestJS'" },
  { client: 'Hono', package: 'hono', what: contract, files: hosts, suite: "on 'fetch (Hono)'" },
  {
    client: 'Next.js',
    package: 'next',
    what: `A route handler in \`next dev\`: ${hostCases}`,
    files: [fetchHosts],
    suite: 'Next.js',
    long: true,
  },
  { client: 'Bun', package: 'bun', what: `\`Bun.serve\`: ${hostCases}`, files: [fetchHosts], suite: 'Bun', long: true },
  {
    client: 'Deno',
    package: 'deno',
    what: `\`Deno.serve\`: ${hostCases}`,
    files: [fetchHosts],
    suite: 'Deno',
    long: true,
  },
  ...['Bun', 'Deno'].map((runtime) => ({
    client: `The generated client in ${runtime}`,
    package: runtime.toLowerCase(),
    what: clientCases,
    files: [clientRuntimes],
    suite: `The client in ${runtime}`,
    long: true,
  })),
];

export const longFolder = 'tests/interoperability/long';
