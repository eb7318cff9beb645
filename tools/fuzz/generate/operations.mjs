/** Discovers the operations of the running service, so that a new command or query is covered without a change here. */
import { buildClientSchema, getIntrospectionQuery } from 'graphql';

/** Pages that every host serves and no document lists. */
const pages = ['/health/live', '/health/ready', '/openapi.json', '/asyncapi.json', '/docs', '/graphql'];

/** Reads the OpenAPI document and the GraphQL schema. `ask(method, path, body)` sends a request and returns the JSON of its response. */
export async function discover(ask) {
  const { paths, components } = await ask('GET', '/openapi.json');
  const { data } = await ask('POST', '/graphql', { query: getIntrospectionQuery({ oneOf: true }) });
  const schema = buildClientSchema(data);
  const resolve = (reference) => components.schemas[reference.split('/').at(-1)];
  return {
    schema,
    resolve,
    rest: Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => restOperation(path, method.toUpperCase(), operation)),
    ),
    graphql: [
      ...fieldsOf('mutation', schema.getMutationType()),
      ...fieldsOf('query', schema.getQueryType()),
      ...fieldsOf('subscription', schema.getSubscriptionType()),
    ],
    pages: pages.map((path) => ({ name: `GET ${path}`, method: 'GET', path, parameters: [], body: null })),
  };
}

function restOperation(path, method, { parameters = [], requestBody }) {
  const body = requestBody?.content['application/json']?.schema ?? null;
  return { name: `${method} ${path}`, method, path, parameters, body };
}

function fieldsOf(kind, type) {
  return Object.values(type?.getFields() ?? {}).map((field) => ({ name: `${kind} ${field.name}`, kind, field }));
}
