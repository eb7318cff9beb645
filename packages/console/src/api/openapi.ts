import type { TObject } from 'typebox';
import type { Operation } from './operation.js';

/** The OpenAPI document of the API. */
export function openApiOf(operations: readonly Operation[], title: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[operation.method.toLowerCase()] = describe(operation);
  }
  return {
    openapi: '3.1.0',
    info: { title: `${title} console`, version: '1.0.0', description: 'What the operator console shows and does.' },
    // The folder of this document, behind any prefix and proxy.
    servers: [{ url: './' }],
    paths,
  };
}

function describe({ method, path, summary, right, params, query, body, response, files }: Operation): object {
  const types = files ?? ['application/json'];
  return {
    operationId: operationId(method, path),
    summary,
    description: right === null ? 'Needs no credential.' : `Needs the permission system:${right}.`,
    parameters: [...parametersIn('path', params), ...parametersIn('query', query)],
    ...(body !== null && { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    responses: {
      200: {
        description: 'The answer.',
        content: Object.fromEntries(types.map((type) => [type, { schema: response }])),
      },
      default: { description: 'A problem, as RFC 9457 defines it.', content: { 'application/problem+json': {} } },
    },
  };
}

function operationId(method: string, path: string): string {
  const words = path
    .split('/')
    .flatMap((part) => part.replace(':', '').split('-'))
    .filter((part) => part !== '');
  return method.toLowerCase() + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
}

function parametersIn(place: 'path' | 'query', { properties, required }: TObject): object[] {
  // Absent if all properties are optional, which its type does not say.
  const names: readonly string[] | undefined = required;
  const isRequired = (name: string): boolean => place === 'path' || (names ?? []).includes(name);
  return Object.entries(properties).map(([name, schema]) => ({ name, in: place, required: isRequired(name), schema }));
}
