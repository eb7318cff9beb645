import type { EndpointModel, MessageModel, NamedType, ServiceModel, TypeModel } from '../model/index.js';
import { SchemaWriter, type JsonSchema } from './json-schema.js';
import { openapiModule } from './names.js';
import { SourceFile } from './source-file.js';
import type { TypeIndex } from './type-index.js';

/** The paths and schemas of the REST endpoints. What belongs to HTTP itself (servers, problems) the transport adds. */
export function emitOpenapi(model: ServiceModel, types: TypeIndex): SourceFile {
  const endpoints = model.endpoints.filter((endpoint) => endpoint.restRoute !== null);
  const commands = new Map(model.messages.map((message) => [message.name, message]));
  const bodies = endpoints.map((endpoint) => bodyType(endpoint, commands));
  const used = types.reachable([...bodies, ...endpoints.map((endpoint) => endpoint.result)]);
  const named = model.types.filter((type) => used.has(type.id));
  const schemas = new SchemaWriter(named);

  const paths = endpoints.map((endpoint, i) => [
    endpoint.restRoute!,
    { post: operation(endpoint, bodies[i]!, schemas) },
  ]);
  const components = named.map((type: NamedType) => schemas.component(type));
  const file = new SourceFile(openapiModule);
  const document = {
    paths: sortedObject(paths as [string, unknown][]),
    components: { schemas: sortedObject(components) },
  };
  const type = `${file.useType('@svc/core', 'ServiceRegistry')}<object>['openapi']`;
  const text = dataText(document);
  file.declare(`/** The REST endpoints as OpenAPI 3.1. */\nexport const openapi: ${type} = ${text};`);
  // The compiler would look for one type that all elements of an array have, which takes long and can go wrong.
  if (text.includes(': list(\n')) file.declare('function list(...items: object[]): object[] {\n  return items;\n}');
  return file;
}

/** Data as a TypeScript expression, with `list(…)` for arrays of objects. `margin` stands before its last line. */
function dataText(value: unknown, margin = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${margin}  `;
  if (Array.isArray(value)) {
    const isPlain = !value.some((item) => typeof item === 'object');
    if (isPlain) return `[${value.map((item) => dataText(item)).join(', ')}]`;
    return `list(\n${value.map((item) => `${inner}${dataText(item, inner)},\n`).join('')}${margin})`;
  }
  const entries = Object.entries(value).map(
    ([key, item]) => `${inner}${JSON.stringify(key)}: ${dataText(item, inner)},\n`,
  );
  return entries.length === 0 ? '{}' : `{\n${entries.join('')}${margin}}`;
}

function bodyType(endpoint: EndpointModel, commands: ReadonlyMap<string, MessageModel>): TypeModel {
  return { kind: 'ref', id: endpoint.requestTypeId ?? commands.get(endpoint.command)!.typeId };
}

function operation(endpoint: EndpointModel, body: TypeModel, schemas: SchemaWriter): JsonSchema {
  return {
    operationId: endpoint.command,
    summary: words(endpoint.command),
    ...(endpoint.description !== null && { description: endpoint.description }),
    requestBody: { required: true, content: { 'application/json': { schema: schemas.of(body) } } },
    responses: {
      '200': {
        description: 'The result of the command.',
        content: { 'application/json': { schema: schemas.of(endpoint.result) } },
      },
    },
  };
}

/** `CreateOrder` → `Create order` */
function words(name: string): string {
  const separated = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return separated.charAt(0).toUpperCase() + separated.slice(1);
}

function sortedObject(entries: readonly [string, unknown][]): object {
  return Object.fromEntries([...entries].toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
