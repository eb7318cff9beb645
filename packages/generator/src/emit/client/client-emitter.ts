import type { EndpointModel, MessageModel, PerspectiveModel, ServiceModel, TypeModel } from '../../model/index.js';
import { capitalised } from '../names.js';
import { requestOf } from '../openapi-request.js';
import { header, propertyKey, quoted } from '../source-file.js';
import { TypeIndex } from '../type-index.js';
import { ClientNames, nameCommands, nameModels, type Named } from './client-names.js';
import { ClientReaders } from './client-readers.js';
import { DeclaredTypes } from './declared-types.js';
import { docComment } from './doc-comment.js';
import { sortType, whereType } from './model-query.js';
import { clientRuntime } from './runtime.js';

/** The client of a service: one module that imports nothing. The same model always gives the same text. */
export function emitClient(model: ServiceModel): string {
  const runtime = clientRuntime();
  const names = new ClientNames(runtime.names);
  const commands = nameCommands(
    model.endpoints.filter(({ restRoute }) => restRoute !== null),
    names,
  );
  const models = nameModels(
    model.perspectives.filter(({ route }) => route !== null),
    commands,
    names,
  );
  const emitter = new ClientEmitter(model, names, commands, models);
  const constants = [
    ...commands.map((command) => emitter.command(command)),
    ...models.map((found) => emitter.models(found)),
  ];
  const parts = [
    `${header}\n/* eslint-disable */\n// The client of the service ${model.namespace}.`,
    ...constants.map(({ text }) => text),
    allOperations(constants),
    ...emitter.types(),
    ...emitter.readers.declarations,
    '// The rest is the same for every service.',
    runtime.text,
  ];
  return `${parts.join('\n\n')}\n`;
}

/** The exported constant of an operation. */
interface Constant {
  readonly text: string;
  /** Its property of all operations. */
  readonly property: Property;
}

interface Property {
  readonly key: string;
  readonly type: string;
  readonly value: string;
}

/** Writes the parts of one client that depend on its service. */
class ClientEmitter {
  readonly readers: ClientReaders;
  readonly #names: ClientNames;
  readonly #types: TypeIndex;
  readonly #messages: ReadonlyMap<string, MessageModel>;
  readonly #declared: DeclaredTypes;

  constructor(
    model: ServiceModel,
    names: ClientNames,
    commands: readonly Named<EndpointModel>[],
    models: readonly Named<PerspectiveModel>[],
  ) {
    this.#names = names;
    this.#types = TypeIndex.of(model.types);
    this.#messages = new Map(model.messages.map((message) => [message.name, message]));
    this.#declared = new DeclaredTypes(names, this.#types, model.types, {
      sent: commands.map(({ item }) => this.#request(item)),
      returned: [...commands.map(({ item }) => item.result), ...models.map(({ item }) => item.model)],
    });
    this.readers = new ClientReaders(names, this.#types);
  }

  command({ item, key, constant }: Named<EndpointModel>): Constant {
    const { request, response } = this.#declared;
    const type = `CommandOperation<${request.of(this.#request(item))}, ${response.result(item.result)}>`;
    const call = pureCall('command', item.restRoute!, this.readers.of(item.result));
    return {
      text: `${docComment(item.description, '')}export const ${constant}: ${type} = ${call};`,
      property: { key, type: `typeof ${constant}`, value: constant },
    };
  }

  models({ item, key, constant }: Named<PerspectiveModel>): Constant {
    const { response } = this.#declared;
    const where = this.#names.unique(`${capitalised(constant)}Where`, 'Type');
    const sort = this.#names.unique(`${capitalised(constant)}Sort`, 'Type');
    const types = `<${response.of(item.model)}, ${where}, ${sort}>`;
    const call = pureCall('models', item.route!, this.readers.of(item.model));
    const text = [
      `${docComment(item.description, '')}export const ${constant}: ModelsOperation${types} = ${call};`,
      whereType(where, item, this.#types, response),
      sortType(sort, item),
    ].join('\n\n');
    return { text, property: { key, type: `LiveOperation${types}`, value: `/*#__PURE__*/ live(${constant})` } };
  }

  /** Every type that callers send or receive. */
  types(): string[] {
    return this.#declared.declarations();
  }

  #request(endpoint: EndpointModel): TypeModel {
    return { kind: 'ref', id: requestOf(endpoint, this.#messages, this.#types).type.id };
  }
}

/** A call that bundlers remove if its result is not used. */
function pureCall(name: string, route: string, reader: string | null): string {
  return `/*#__PURE__*/ ${name}(${[quoted(route), ...(reader === null ? [] : [reader])].join(', ')})`;
}

function allOperations(constants: readonly Constant[]): string {
  const properties = constants.map(({ property }) => property);
  const types = properties.map(({ key, type }) => `  readonly ${propertyKey(key)}: ${type};\n`);
  const entries = properties.map(({ key, value }) => `  ${key === value ? key : `${propertyKey(key)}: ${value}`},\n`);
  return [
    '/** All operations of the service. Pass only those that you use, and bundlers leave out the others. */',
    `export const operations: {\n${types.join('')}} = {\n${entries.join('')}};`,
  ].join('\n');
}
