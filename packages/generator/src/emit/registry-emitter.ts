import { hasGraphQL } from '../graphql/index.js';
import type {
  ConstructorParameter,
  EndpointModel,
  HookModel,
  MessageModel,
  PathParameter,
  ServiceModel,
} from '../model/index.js';
import { deciderEntry } from './decider-entry.js';
import { hasOwnFunctions, resultWriterName } from './json-emitter.js';
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
import { perspectiveEntry } from './perspective-entry.js';
import { reactionEntry } from './reaction-entry.js';
import { creation, list, object, Services } from './registry-parts.js';
import { indented, quoted, SourceFile } from './source-file.js';
import type { TypeIndex } from './type-index.js';
import { TypeText } from './type-text.js';

/** The namespace of core's own messages. Its plain events are system events too. */
const systemNamespace = 'svc';

/** All parts of the service, in one sorted file. */
export function emitRegistry(model: ServiceModel, types: TypeIndex): SourceFile {
  const file = new SourceFile(registryModule);
  const services = new Services();
  const messages = new Map(model.messages.map((message) => [message.name, message]));
  const commandOf = (name: string): MessageModel => messages.get(name)!;

  const lists = [
    list(
      'messages',
      model.messages.map((message) => messageEntry(file, message, types)),
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
    ...(model.deciders.length === 0
      ? []
      : [
          list(
            'deciders',
            model.deciders.map((decider) => deciderEntry(file, decider, types)),
          ),
        ]),
    ...(model.perspectives.length === 0
      ? []
      : [
          list(
            'perspectives',
            model.perspectives.map((perspective) => perspectiveEntry(file, perspective, types, services)),
          ),
        ]),
    ...(model.reactions.length === 0
      ? []
      : [
          list(
            'reactions',
            model.reactions.map((reaction) => reactionEntry(file, reaction, services)),
          ),
        ]),
    ...(model.processes.length === 0
      ? []
      : [
          list(
            'processes',
            model.processes.map((process) => reactionEntry(file, process, services)),
          ),
        ]),
    // After all lists that use services.
    ...(services.required.length === 0
      ? []
      : [
          list(
            'services',
            services.required.map((name) => `${quoted(name)},`),
          ),
        ]),
    `openapi: ${file.useFrom(openapiModule, 'openapi')},`,
    ...(hasGraphQL(model) ? [`graphql: ${file.useFrom(graphqlModule, 'graphql')},`] : []),
  ];
  file.declare(services.declaration(usersOf(model)));
  const registry = file.useType('@svc/core', 'ServiceRegistry');
  file.declare(`export const registry: ${registry}<Services> = {\n${indented(lists.join('\n'))}\n};`);
  declareResults(file, model.messages, new TypeText(file, types));
  if (model.namespace !== systemNamespace) declareDomainEvents(file, model.messages);
  return file;
}

/** What the services are for. */
function usersOf(model: ServiceModel): string {
  const others = (['perspectives', 'reactions', 'processes'] as const).filter((part) => model[part].length > 0);
  const users = ['receptors', 'endpoints', ...others];
  return `${users.slice(0, -1).join(', ')} and ${users.at(-1)}`;
}

function messageEntry(file: SourceFile, message: MessageModel, types: TypeIndex): string {
  const type = types.get(message.typeId);
  const json = jsonModule(message.module);
  return object([
    `type: ${quoted(message.type)}`,
    `kind: ${quoted(message.kind)}`,
    `class: ${file.useFrom(message.module, message.name)}`,
    `read: ${file.useFrom(json, messageReaderName(type))}`,
    `write: ${file.useFrom(json, writerName(type))}`,
    ...(types.hasSecrets(type.type) ? ['hasSecrets: true'] : []),
    ...(types.hasPersonal(type.type) ? ['hasPersonal: true'] : []),
  ]);
}

/** The name of the result in audit records: that of its type, if it has one. */
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
  const writer = hasOwnFunctions(endpoint.result, types)
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
    ...(endpoint.pathParameters.length === 0 ? [] : [`pathParameters: ${parametersText(endpoint.pathParameters)}`]),
    `graphQLMutation: ${endpoint.graphQLMutation === null ? 'null' : quoted(endpoint.graphQLMutation)}`,
    `readRequest: ${file.useFrom(jsonModule(request.module), messageReaderName(request))}`,
    `writeResult: ${writer}`,
    ...(types.hasSecrets(request.type)
      ? [`writeRequest: ${file.useFrom(jsonModule(request.module), writerName(request))}`]
      : []),
    ...(custom === null || custom.hooks.length === 0 ? [] : [`hooks: ${hooksText(custom.hooks)}`]),
    `create: ${creation(name, parameters, services)}`,
  ]);
}

function parametersText(parameters: readonly PathParameter[]): string {
  return `{ ${parameters.map(({ name, kind }) => `${name}: '${kind}'`).join(', ')} }`;
}

function hooksText(hooks: readonly HookModel[]): string {
  const members = hooks.map(({ name, takesSignal }) => `${name}: '${takesSignal ? 'with signal' : 'without signal'}',`);
  return `{\n${indented(members.join('\n'))}\n}`;
}

/**
 * The map from commands to results, which lets `dispatcher.invoke(command)` infer the result. Results are named outside of `declare module`,
 * because a name inside can refer to an export of that module.
 */
function declareResults(file: SourceFile, messages: readonly MessageModel[], texts: TypeText): void {
  const results = messages.flatMap(({ name, module, result }) =>
    result === undefined ? [] : [{ name, module, result: texts.of(result) }],
  );
  if (results.length === 0) return;
  const members = results.map(({ name, result }) => `  readonly ${name}: ${result};`);
  file.declare(`/** The result of each command. */\nexport interface CommandResults {\n${members.join('\n')}\n}`);
  const returning = file.useType('@svc/core', 'CommandReturning');
  for (const { name, module } of results) {
    const augmented = quoted(importPath(file.module, module));
    const declaration = `  interface ${name} extends ${returning}<CommandResults[${quoted(name)}]> {}`;
    file.declare(`declare module ${augmented} {\n${declaration}\n}`);
  }
}

/** Lets the compiler reject a domain event where a system event is required. */
function declareDomainEvents(file: SourceFile, messages: readonly MessageModel[]): void {
  const events = messages.filter(({ kind }) => kind === 'event');
  if (events.length === 0) return;
  const domainEvent = file.useType('@svc/core', 'DomainEvent');
  for (const { name, module } of events) {
    const augmented = quoted(importPath(file.module, module));
    file.declare(`declare module ${augmented} {\n  interface ${name} extends ${domainEvent} {}\n}`);
  }
}
