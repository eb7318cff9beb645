import type { ConstructorParameter, EndpointModel, MessageModel, ServiceModel } from '../model/index.js';
import { hasOwnWriter, resultWriterName } from './json-emitter.js';
import {
  endpointModule,
  graphqlModule,
  importPath,
  jsonModule,
  messageReaderName,
  openapiModule,
  registryModule,
  writerName,
} from './names.js';
import { indented, quoted, SourceFile } from './source-file.js';
import type { TypeIndex } from './type-index.js';
import { TypeText } from './type-text.js';

/** Everything the service is made of, in one sorted file. */
export function emitRegistry(model: ServiceModel, types: TypeIndex): SourceFile {
  const file = new SourceFile(registryModule);
  const services = new Services();
  const messages = new Map(model.messages.map((message) => [message.name, message]));
  const commandOf = (name: string): MessageModel => messages.get(name)!;

  const hasMutation = model.endpoints.some((endpoint) => endpoint.graphQLMutation !== null);
  const lists = [
    list(
      'messages',
      model.messages.map((message) => messageEntry(file, message, model.namespace, types)),
    ),
    list(
      'receptors',
      model.receptors.map((receptor) => {
        const command = commandOf(receptor.command);
        const name = file.useFrom(receptor.module, receptor.name);
        const create = creation(name, receptor.parameters, services);
        return object([
          `name: ${quoted(receptor.name)}`,
          `command: ${file.useFrom(command.module, command.name)}`,
          `resultType: ${resultTypeName(command, types)}`,
          `create: ${create}`,
        ]);
      }),
    ),
    list(
      'endpoints',
      model.endpoints.map((endpoint) => endpointEntry(file, endpoint, commandOf(endpoint.command), types, services)),
    ),
    `openapi: ${file.useFrom(openapiModule, 'openapi')},`,
    ...(hasMutation ? [`graphql: ${file.useFrom(graphqlModule, 'graphql')},`] : []),
  ];
  file.declare(services.declaration());
  const registry = file.useType('@svc/core', 'ServiceRegistry');
  file.declare(`export const registry: ${registry}<Services> = {\n${indented(lists.join('\n'))}\n};`);
  declareResults(file, model.messages, new TypeText(file, types));
  return file;
}

function messageEntry(file: SourceFile, message: MessageModel, namespace: string, types: TypeIndex): string {
  const type = types.get(message.typeId);
  const json = jsonModule(message.module);
  return object([
    `type: ${quoted(`${namespace}.${message.name}`)}`,
    `kind: ${quoted(message.kind)}`,
    `class: ${file.useFrom(message.module, message.name)}`,
    `read: ${file.useFrom(json, messageReaderName(type))}`,
    `write: ${file.useFrom(json, writerName(type))}`,
  ]);
}

/** What audit records call the result: the name of its type, when it has one. */
function resultTypeName({ result }: MessageModel, types: TypeIndex): string {
  return result?.kind === 'ref' ? quoted(types.get(result.id).name) : 'null';
}

function endpointEntry(
  file: SourceFile,
  endpoint: EndpointModel,
  command: MessageModel,
  types: TypeIndex,
  services: Services,
): string {
  const request = types.get(endpoint.requestTypeId ?? command.typeId);
  const writer = hasOwnWriter(endpoint.result, types)
    ? file.useFrom(jsonModule(types.get(endpoint.result.id).module), writerName(types.get(endpoint.result.id)))
    : file.useFrom(jsonModule(command.module), resultWriterName(command.name));
  const { custom } = endpoint;
  const name = file.useFrom(
    custom?.module ?? endpointModule(command.module, command.name),
    custom?.name ?? endpoint.name,
  );
  const parameters: readonly ConstructorParameter[] =
    custom !== null && custom.parameters.length > 0
      ? custom.parameters
      : [{ name: 'dispatcher', kind: 'dispatcher', optional: false }];
  return object([
    `name: ${quoted(endpoint.name)}`,
    `command: ${file.useFrom(command.module, command.name)}`,
    `restRoute: ${endpoint.restRoute === null ? 'null' : quoted(endpoint.restRoute)}`,
    `graphQLMutation: ${endpoint.graphQLMutation === null ? 'null' : quoted(endpoint.graphQLMutation)}`,
    `readRequest: ${file.useFrom(jsonModule(request.module), messageReaderName(request))}`,
    `writeResult: ${writer}`,
    `create: ${creation(name, parameters, services)}`,
  ]);
}

/**
 * The map from commands to results, and what lets `dispatcher.invoke(command)` infer from it. A name inside `declare module` can
 * mean an export of that module, so the results are named outside.
 */
function declareResults(file: SourceFile, messages: readonly MessageModel[], texts: TypeText): void {
  const results = messages.flatMap(({ name, module, result }) =>
    result === undefined ? [] : [{ name, module, result: texts.of(result) }],
  );
  if (results.length === 0) return;
  const members = results.map(({ name, result }) => `  readonly ${name}: ${result};`);
  file.declare(`/** What each command answers with. */\nexport interface CommandResults {\n${members.join('\n')}\n}`);
  const returning = file.useType('@svc/core', 'CommandReturning');
  for (const { name, module } of results) {
    const augmented = quoted(importPath(file.module, module));
    const declaration = `  interface ${name} extends ${returning}<CommandResults[${quoted(name)}]> {}`;
    file.declare(`declare module ${augmented} {\n${declaration}\n}`);
  }
}

function creation(className: string, parameters: readonly ConstructorParameter[], services: Services): string {
  const values = parameters.map((parameter, i) =>
    parameter.kind === 'service' ? services.use(className, parameter, i) : `host.${parameter.kind}`,
  );
  const needsServices = parameters.some(({ kind }) => kind === 'service');
  const needsHost = parameters.some(({ kind }) => kind !== 'service');
  const needs = needsServices ? [needsHost ? 'host' : '_host', 'services'] : needsHost ? ['host'] : [];
  return `(${needs.join(', ')}) => new ${className}(${values.join(', ')})`;
}

/** What constructors ask for, by parameter name. Two that ask for one name must agree: the type is both of theirs. */
class Services {
  readonly #types = new Map<string, { types: string[]; optional: boolean }>();

  use(className: string, parameter: ConstructorParameter, index: number): string {
    const known = this.#types.get(parameter.name);
    const type = `ConstructorParameters<typeof ${className}>[${index}]`;
    this.#types.set(parameter.name, {
      types: [...(known?.types ?? []), type],
      optional: parameter.optional && (known?.optional ?? true),
    });
    return `services.${parameter.name}`;
  }

  declaration(): string {
    const about = '/** What the constructors of receptors and endpoints ask for, by parameter name. */';
    const members = [...this.#types]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(
        ([name, { types, optional }]) => `  readonly ${name}${optional ? '?' : ''}: ${types.toSorted().join(' & ')};`,
      );
    if (members.length === 0) return `${about}\nexport type Services = object;`;
    return `${about}\nexport interface Services {\n${members.join('\n')}\n}`;
  }
}

function list(name: string, entries: readonly string[]): string {
  return entries.length === 0 ? `${name}: [],` : `${name}: [\n${indented(entries.join('\n'))}\n],`;
}

function object(members: readonly string[]): string {
  return `{\n${indented(members.map((text) => `${text},`).join('\n'))}\n},`;
}
