import type { ServiceRegistry } from '@svc/core';
import type { PerspectiveQuery } from '@svc/core/hosting';
import type { OpenApiInfo } from '../options.js';
import { auditOperation } from './audit-operation.js';
import { withIdempotencyKey } from './idempotency-parameter.js';
import { livePaths } from './live-operations.js';
import type { JsonSchema, OpenApiDocument, Operation, PathItem } from './openapi-types.js';
import { withPathLimits } from './path-parameters.js';
import { problemResponses, problemSchema, accessResponses } from './problem-responses.js';
import { queryPaths } from './query-operations.js';
import { withCommandHeaders } from './response-headers.js';
import { withSecurity, type SecurityDescription } from './security.js';
import { serverUrls } from './server-urls.js';
import { tagsIn, withTags } from './tags.js';
import { usedSchemas } from './used-schemas.js';

/** What a service serves in addition to its commands, and to whom. */
export interface DocumentedRoutes {
  readonly queries?: readonly PerspectiveQuery[];
  /** Whether queries can be watched. Default: no. */
  readonly isLive?: boolean;
  readonly security?: SecurityDescription | null;
  /** The route of audit queries; null: there is none. */
  readonly auditRoute?: string | null;
}

/** Builds the OpenAPI document: the commands from the generator, plus what belongs to HTTP. */
export function openApiDocument(
  { paths, components, models }: ServiceRegistry<object>['openapi'],
  { title = 'API', version = '1.0.0', servers, ...info }: OpenApiInfo,
  prefix: string,
  { queries = [], isLive = false, security = null, auditRoute = null }: DocumentedRoutes = {},
): OpenApiDocument {
  // Messages between hosts are not for callers, and change no name of the API.
  const all = usedSchemas(components.schemas as Readonly<Record<string, JsonSchema>>, { paths, models });
  const problemName = unusedName(all, 'Problem');
  const problemRef = `#/components/schemas/${problemName}`;
  const problems = problemResponses(problemRef);
  const secured = (operation: Operation, method: 'GET' | 'POST', route: string): Operation =>
    security === null ? operation : withSecurity(operation, method, route, security);
  const documentedCommand = (operation: Operation): Operation =>
    withProblems(withCommandHeaders(withIdempotencyKey(withPathLimits(operation, problemRef))), problems);
  const commands = mapValues(paths as Readonly<Record<string, PathItem>>, (item, route): PathItem =>
    item.post === undefined
      ? item
      : {
          ...item,
          post: secured(documentedCommand(item.post), 'POST', route),
        },
  );
  const audit = auditRoute === null ? {} : { [auditRoute]: { get: auditOperation(problemRef) } };
  const reading = mapValues(
    {
      ...queryPaths(queries, (models ?? {}) as Readonly<Record<string, JsonSchema>>, problemRef),
      ...(isLive && livePaths(queries, problemRef)),
      ...audit,
    },
    (item, route): PathItem => (item.get === undefined ? item : { get: secured(item.get, 'GET', route) }),
  );
  const served = withTags(mergePaths(commands, reading));
  // Neither are models that are not served.
  const schemas = usedSchemas(all, served);
  return {
    openapi: '3.1.0',
    info: { title, version, ...info },
    servers: serverUrls(servers, prefix),
    ...(security === null && { security: [] }),
    tags: tagsIn(served),
    paths: served,
    components: {
      schemas: { ...schemas, [problemName]: problemSchema },
      responses: {
        ...Object.fromEntries(problems.map(({ name, response }) => [name, response])),
        ...(security !== null && accessResponses(problemRef)),
      },
      ...(security !== null && { securitySchemes: security.schemes }),
    },
  };
}

function withProblems(operation: Operation, problems: readonly { name: string; status: string }[]): Operation {
  const references = problems.map(({ name, status }) => [status, { $ref: `#/components/responses/${name}` }]);
  return { ...operation, responses: { ...operation.responses, ...Object.fromEntries(references) } };
}

function mergePaths(
  paths: Readonly<Record<string, PathItem>>,
  more: Readonly<Record<string, PathItem>>,
): Readonly<Record<string, PathItem>> {
  const merged = Object.entries(more).map(([path, item]): [string, PathItem] => [path, { ...paths[path], ...item }]);
  return { ...paths, ...Object.fromEntries(merged) };
}

/** A name that none of the program's types has. */
function unusedName(schemas: Readonly<Record<string, unknown>>, name: string): string {
  return Object.hasOwn(schemas, name) ? unusedName(schemas, `Svc${name}`) : name;
}

function mapValues<T, U>(values: Readonly<Record<string, T>>, map: (value: T, key: string) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value, key)]));
}
