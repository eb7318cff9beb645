import type { ServiceRegistry } from '@svc/core';
import type { OpenApiInfo } from '../options.js';
import type { JsonSchema, OpenApiDocument, Operation, PathItem } from './openapi-types.js';
import { problemResponses, problemSchema, refusalResponses } from './problem-responses.js';
import { withSecurity, type SecurityDescription } from './security.js';

/** The whole document: what the generator knows of the commands, and what belongs to HTTP itself. */
export function openApiDocument(
  { paths, components }: ServiceRegistry<object>['openapi'],
  { title = 'API', version = '1.0.0', description }: OpenApiInfo,
  prefix: string,
  security: SecurityDescription | null = null,
): OpenApiDocument {
  const schemas = components.schemas as Readonly<Record<string, JsonSchema>>;
  const problemName = nameBeside(schemas, 'Problem');
  const problemRef = `#/components/schemas/${problemName}`;
  const problems = problemResponses(problemRef);
  const documented = (item: PathItem, route: string): PathItem => {
    if (item.post === undefined) return item;
    const post = withProblems(item.post, problems);
    return { ...item, post: security === null ? post : withSecurity(post, route, security) };
  };
  return {
    openapi: '3.1.0',
    info: { title, version, ...(description !== undefined && { description }) },
    servers: [{ url: prefix === '' ? '/' : prefix }],
    paths: mapValues(paths as Readonly<Record<string, PathItem>>, documented),
    components: {
      schemas: { ...schemas, [problemName]: problemSchema },
      responses: {
        ...Object.fromEntries(problems.map(({ name, response }) => [name, response])),
        ...(security !== null && refusalResponses(problemRef)),
      },
      ...(security !== null && { securitySchemes: security.schemes }),
    },
  };
}

function withProblems(operation: Operation, problems: readonly { name: string; status: string }[]): Operation {
  const references = problems.map(({ name, status }) => [status, { $ref: `#/components/responses/${name}` }]);
  return { ...operation, responses: { ...operation.responses, ...Object.fromEntries(references) } };
}

/** A name that none of the program's own types has. */
function nameBeside(schemas: Readonly<Record<string, unknown>>, name: string): string {
  return Object.hasOwn(schemas, name) ? nameBeside(schemas, `Svc${name}`) : name;
}

function mapValues<T, U>(values: Readonly<Record<string, T>>, map: (value: T, key: string) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value, key)]));
}
