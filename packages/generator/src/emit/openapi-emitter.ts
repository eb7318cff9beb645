import type { EndpointModel, ServiceModel } from '../model/index.js';
import { dataText, entriesText } from './data-text.js';
import { DirectedNames } from './component-names.js';
import { SchemaWriter, type Schemas } from './json-schema.js';
import type { SchemaForm, JsonSchema } from './schema-types.js';
import type { TextCache } from './text-cache.js';
import { openapiModule } from './names.js';
import { openapiPath, pathParameter, requestOf, type RequestParts } from './openapi-request.js';
import { SourceFile } from './source-file.js';
import type { TypeIndex } from './type-index.js';

/** The indentation of the entries of `paths` and of `components.schemas`. */
const pathMargin = ' '.repeat(4);
const schemaMargin = ' '.repeat(6);

/** The paths of the REST endpoints, and the schemas of everything that a service sends. HTTP adds what belongs to it (servers, problems). */
export function emitOpenapi(model: ServiceModel, types: TypeIndex, texts: TextCache): SourceFile {
  const endpoints = model.endpoints.filter((endpoint) => endpoint.restRoute !== null);
  const commands = new Map(model.messages.map((message) => [message.name, message]));
  const requests = endpoints.map((endpoint) => requestOf(endpoint, commands, types));
  const sent = types.reachable(requests.flatMap(({ body, path }) => [body, ...path.map(({ type }) => type)]));
  const returned = types.reachable([
    ...endpoints.map((endpoint) => endpoint.result),
    ...model.deciders.flatMap(({ state }) => state ?? []),
    ...model.perspectives.map((found) => found.model),
  ]);
  const messages = model.messages.filter(({ typeId }) => canBeSent(typeId, types));
  const published = types.reachable(messages.map(({ typeId: id }) => ({ kind: 'ref', id })));
  const named = model.types.filter(({ id }) => sent.has(id) || returned.has(id) || published.has(id));
  const names = new DirectedNames(named, { sent, returned, published }, types);
  const cachedText = (key: string, from: unknown[], margin: string, make: (schemas: Schemas) => JsonSchema): string =>
    texts.get(
      `${openapiModule} ${key}`,
      from,
      (lookup) => names.get(idIn(lookup), formIn(lookup)),
      (nameOf) => dataText(make(schemasWith(nameOf)), margin),
    );

  const paths = endpoints.map((endpoint, i): [string, string] => {
    const { command, description, result } = endpoint;
    const request = requests[i]!;
    const make = (schemas: Schemas): JsonSchema => ({ post: operation(endpoint, request, schemas) });
    const path = openapiPath(endpoint.restRoute!);
    return [path, cachedText(command, [path, request.type, description, result], pathMargin, make)];
  });
  const components = named.flatMap((type) =>
    names.formsOf(type.id).map((form): [string, string] => {
      const key = `${form} ${type.id}`;
      const text = cachedText(key, [type], schemaMargin, (schemas) => schemas[form].component(type));
      return [names.get(type.id, form)!, text];
    }),
  );
  const models = model.perspectives.map((perspective): [string, string] => {
    const make = ({ response }: Schemas): JsonSchema => response.of(perspective.model);
    return [perspective.name, cachedText(`model of ${perspective.name}`, [perspective.model], pathMargin, make)];
  });
  const states = model.deciders.flatMap(({ name, state }): [string, string][] => {
    if (state === null) return [];
    return [[name, cachedText(`state of ${name}`, [state], pathMargin, ({ response }) => response.of(state))]];
  });
  const ofMessages = messages.map(({ name, type, typeId: id }): [string, string] => {
    const make = ({ message }: Schemas): JsonSchema => message.ref(id);
    return [type, cachedText(`message ${name}`, [id], pathMargin, make)];
  });
  const schemas = entriesText([['schemas', entriesText(sorted(components), pathMargin)]], '  ');
  const text = entriesText(
    [
      ['paths', entriesText(sorted(paths), '  ')],
      ['components', schemas],
      ...(states.length === 0 ? [] : [['states', entriesText(states, '  ')] as const]),
      ...(models.length === 0 ? [] : [['models', entriesText(models, '  ')] as const]),
      ...(ofMessages.length === 0 ? [] : [['messages', entriesText(sorted(ofMessages), '  ')] as const]),
    ],
    '',
  );
  const file = new SourceFile(openapiModule);
  const type = `${file.useType('@svc/core', 'ServiceRegistry')}<object>['openapi']`;
  file.declare(
    `/** The REST endpoints as OpenAPI 3.1, and the schemas of models and messages. */\nexport const openapi: ${type} = ${text};`,
  );
  // Otherwise the compiler infers one type for all elements of an array, which is slow and can fail.
  if (text.includes(': list(\n')) file.declare('function list(...items: object[]): object[] {\n  return items;\n}');
  return file;
}

/** A message with secrets is never stored, so that no host can send it. */
function canBeSent(typeId: string, types: TypeIndex): boolean {
  return !types.hasSecrets({ kind: 'ref', id: typeId });
}

/** One lookup serves all forms: `request orders/create-order#LineItem`. */
function schemasWith(nameOf: (lookup: string) => string | undefined): Schemas {
  const writer = (form: SchemaForm): SchemaWriter => new SchemaWriter((id) => nameOf(`${form} ${id}`), form);
  return { request: writer('request'), response: writer('response'), message: writer('message') };
}

function formIn(lookup: string): SchemaForm {
  return lookup.slice(0, lookup.indexOf(' ')) as SchemaForm;
}

function idIn(lookup: string): string {
  return lookup.slice(lookup.indexOf(' ') + 1);
}

function operation(endpoint: EndpointModel, { body, path }: RequestParts, schemas: Schemas): JsonSchema {
  const { request, response } = schemas;
  return {
    operationId: endpoint.command,
    summary: words(endpoint.command),
    ...(endpoint.description !== null && { description: endpoint.description }),
    ...(path.length > 0 && { parameters: path.map((property) => pathParameter(property, schemas)) }),
    requestBody: { required: true, content: { 'application/json': { schema: request.of(body) } } },
    responses: {
      '200': {
        description: 'The result of the command.',
        content: { 'application/json': { schema: response.of(endpoint.result) } },
      },
    },
  };
}

/** `CreateOrder` → `Create order` */
function words(name: string): string {
  const separated = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return separated.charAt(0).toUpperCase() + separated.slice(1);
}

/** By key; of two entries with one key the last is used, as in an object. */
function sorted(entries: readonly [string, string][]): [string, string][] {
  return [...new Map(entries)].toSorted(([a], [b]) => (a < b ? -1 : 1));
}
