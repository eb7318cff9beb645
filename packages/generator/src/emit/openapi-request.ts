import type { EndpointModel, MessageModel, NamedType, PropertyModel, TypeModel } from '../model/index.js';
import type { Schemas } from './json-schema.js';
import type { JsonSchema } from './schema-types.js';
import type { TypeIndex } from './type-index.js';

/** The parts of a request. */
export interface RequestParts {
  /** The command, or its request type. */
  readonly type: NamedType;
  /** What callers send as the body: without the properties that are in the path. */
  readonly body: TypeModel;
  /** The properties that are in the path, in the order of the route. */
  readonly path: readonly PropertyModel[];
}

export function requestOf(
  { command, requestTypeId, pathParameters }: EndpointModel,
  commands: ReadonlyMap<string, MessageModel>,
  types: TypeIndex,
): RequestParts {
  const id = requestTypeId ?? commands.get(command)!.typeId;
  const type = types.get(id);
  const whole = type.type;
  if (pathParameters.length === 0 || whole.kind !== 'object') return { type, body: { kind: 'ref', id }, path: [] };
  const names = pathParameters.map(({ name }) => name);
  return {
    type,
    body: { ...whole, properties: whole.properties.filter(({ name }) => !names.includes(name)) },
    path: names.flatMap((name) => whole.properties.find((property) => property.name === name) ?? []),
  };
}

/** `/orders/:orderId/cancel` → `/orders/{orderId}/cancel` */
export function openapiPath(route: string): string {
  return route
    .split('/')
    .map((part) => (part.startsWith(':') ? `{${part.slice(1)}}` : part))
    .join('/');
}

export function pathParameter({ name, type, description }: PropertyModel, { request, response }: Schemas): JsonSchema {
  // In a body a decimal may be a number as well; a path has only text.
  const isDecimal = type.kind === 'string' && type.format === 'decimal';
  return {
    name,
    in: 'path',
    required: true,
    ...(description !== null && { description }),
    schema: isDecimal ? response.of(type) : request.of(type),
  };
}
