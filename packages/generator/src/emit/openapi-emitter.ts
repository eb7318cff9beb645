import type { EndpointModel, MessageModel, ServiceModel, TypeModel } from '../model/index.js';
import { dataText, entriesText } from './data-text.js';
import { componentNames, SchemaWriter, type JsonSchema } from './json-schema.js';
import type { KeptTexts } from './kept-texts.js';
import { openapiModule } from './names.js';
import { SourceFile } from './source-file.js';
import type { TypeIndex } from './type-index.js';

/** Where the entries of `paths` and of `components.schemas` stand. */
const pathMargin = ' '.repeat(4);
const schemaMargin = ' '.repeat(6);

/** The paths and schemas of the REST endpoints. What belongs to HTTP itself (servers, problems) the transport adds. */
export function emitOpenapi(model: ServiceModel, types: TypeIndex, texts: KeptTexts): SourceFile {
  const endpoints = model.endpoints.filter((endpoint) => endpoint.restRoute !== null);
  const commands = new Map(model.messages.map((message) => [message.name, message]));
  const bodies = endpoints.map((endpoint) => bodyType(endpoint, commands));
  const used = types.reachable([...bodies, ...endpoints.map((endpoint) => endpoint.result)]);
  const named = model.types.filter((type) => used.has(type.id));
  const names = componentNames(named);
  const keptText = (
    key: string,
    from: unknown[],
    margin: string,
    make: (schemas: SchemaWriter) => JsonSchema,
  ): string =>
    texts.get(
      `${openapiModule} ${key}`,
      from,
      (id) => names.get(id),
      (nameOf) => dataText(make(new SchemaWriter(nameOf)), margin),
    );

  const paths = endpoints.map((endpoint, i): [string, string] => {
    const { command, description, result, restRoute } = endpoint;
    const body = bodies[i]!;
    const make = (schemas: SchemaWriter): JsonSchema => ({ post: operation(endpoint, body, schemas) });
    return [restRoute!, keptText(command, [body.id, description, result], pathMargin, make)];
  });
  const components = named.map((type): [string, string] => {
    const text = keptText(type.id, [type], schemaMargin, (schemas) => schemas.component(type));
    return [names.get(type.id)!, text];
  });
  const schemas = entriesText([['schemas', entriesText(sorted(components), pathMargin)]], '  ');
  const text = entriesText(
    [
      ['paths', entriesText(sorted(paths), '  ')],
      ['components', schemas],
    ],
    '',
  );
  const file = new SourceFile(openapiModule);
  const type = `${file.useType('@svc/core', 'ServiceRegistry')}<object>['openapi']`;
  file.declare(`/** The REST endpoints as OpenAPI 3.1. */\nexport const openapi: ${type} = ${text};`);
  // The compiler would look for one type that all elements of an array have, which takes long and can go wrong.
  if (text.includes(': list(\n')) file.declare('function list(...items: object[]): object[] {\n  return items;\n}');
  return file;
}

function bodyType(endpoint: EndpointModel, commands: ReadonlyMap<string, MessageModel>): TypeModel & { kind: 'ref' } {
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

/** By their keys; of two with one key the last counts, as in an object. */
function sorted(entries: readonly [string, string][]): [string, string][] {
  return [...new Map(entries)].toSorted(([a], [b]) => (a < b ? -1 : 1));
}
