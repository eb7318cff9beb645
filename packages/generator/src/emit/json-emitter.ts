import type { EndpointModel, NamedType, ServiceModel, TypeModel } from '../model/index.js';
import type { TextCache } from './text-cache.js';
import { jsonModule, messageReaderName, readerName, writerName } from './names.js';
import { ReaderEmitter } from './reader-emitter.js';
import { pathOf, SourceFile, type EmittedFile } from './source-file.js';
import { isScalar, TypeIndex } from './type-index.js';
import { TypeText } from './type-text.js';
import { WriterEmitter } from './writer-emitter.js';

/** Readers and writers, one module per declaring module. A type that is never read has no reader; one that is never written, no writer. */
export function emitJsonModules(model: ServiceModel, types: TypeIndex, texts: TextCache): EmittedFile[] {
  const needs = needsOf(model, types);
  return contentsOf(model, types).flatMap((contents) => {
    const { module, types: declared, results, models } = contents;
    const needed = declared.flatMap(({ id }) => [needs.instances.has(id), needs.read.has(id), needs.written.has(id)]);
    if (results.length === 0 && models.length === 0 && !needed.includes(true)) return [];
    const from = [
      ...declared,
      ...needed,
      ...results.flatMap(({ command, result }) => [command, result]),
      ...models.flatMap(({ name, type }) => [name, type]),
    ];
    const text = texts.get(module, from, types.find, (find) => emitModule(contents, needs, new TypeIndex(find)).text());
    return [[pathOf(module), text]];
  });
}

/** Whether a result or model is written and read by the functions of its named type. */
export function hasOwnFunctions(result: TypeModel, types: TypeIndex): result is { kind: 'ref'; id: string } {
  return result.kind === 'ref' && !isScalar(types.get(result.id).type);
}

export function resultWriterName(command: string): string {
  return `write${command}Result`;
}

/** The name of an anonymous model: `OrderPerspectiveModel`. */
export function modelName(perspective: string): string {
  return `${perspective}Model`;
}

/** The name of an anonymous state: `OrderState`. */
export function stateName(decider: string): string {
  return `${decider}State`;
}

/** A model of a perspective or a state of a decider: both are written and read. */
interface StoredType {
  /** The name of its functions, if the type has none of its own. */
  readonly name: string;
  readonly module: string;
  readonly type: TypeModel;
}

function storedTypesOf({ deciders, perspectives }: ServiceModel): StoredType[] {
  return [
    ...deciders.flatMap(({ name, module, state }) =>
      state === null ? [] : [{ name: stateName(name), module, type: state }],
    ),
    ...perspectives.map(({ name, module, model }) => ({ name: modelName(name), module, type: model })),
  ];
}

/** Ids of the named types that need a reader of instances, a reader of data, a writer. */
interface Needs {
  readonly instances: ReadonlySet<string>;
  readonly read: ReadonlySet<string>;
  readonly written: ReadonlySet<string>;
}

function needsOf(model: ServiceModel, types: TypeIndex): Needs {
  const messages = model.messages.map((message) => message.typeId);
  const requests = model.endpoints.flatMap(({ requestTypeId }) => (requestTypeId === null ? [] : [requestTypeId]));
  const instances = new Set([...messages, ...requests]);
  // A request with secrets is written to find them.
  const secretive = requests.filter((id) => types.hasSecrets(types.get(id).type));
  const asRefs = [...messages, ...secretive].map((id): TypeModel => ({ kind: 'ref', id }));
  const models = storedTypesOf(model).map(({ type }) => type);
  return {
    instances,
    read: types.reachable([...[...instances].map((id) => types.get(id).type), ...models]),
    written: types.reachable([...asRefs, ...model.endpoints.map((endpoint) => endpoint.result), ...models]),
  };
}

/** The content of one generated module. */
interface ModuleContents {
  readonly module: string;
  readonly types: NamedType[];
  /** Endpoints of its commands with an anonymous result. */
  readonly results: EndpointModel[];
  /** The anonymous models and states of its perspectives and deciders. */
  readonly models: StoredType[];
}

function contentsOf(model: ServiceModel, types: TypeIndex): ModuleContents[] {
  const modules = new Map<string, ModuleContents>();
  const contents = (declaredIn: NamedType['module']): ModuleContents => {
    const module = jsonModule(declaredIn);
    let found = modules.get(module);
    if (found === undefined) modules.set(module, (found = { module, types: [], results: [], models: [] }));
    return found;
  };
  for (const type of model.types) if (!isScalar(type.type)) contents(type.module).types.push(type);
  const commandModules = new Map(model.messages.map((message) => [message.name, message.module]));
  for (const endpoint of model.endpoints) {
    if (!hasOwnFunctions(endpoint.result, types))
      contents(commandModules.get(endpoint.command)!).results.push(endpoint);
  }
  for (const stored of storedTypesOf(model)) {
    if (!hasOwnFunctions(stored.type, types)) contents(stored.module).models.push(stored);
  }
  return [...modules.values()];
}

function emitModule(contents: ModuleContents, needs: Needs, types: TypeIndex): SourceFile {
  const { module, types: declared, results, models } = contents;
  const file = new SourceFile(module);
  // Exports are declared first, so that helpers cannot take their names.
  for (const type of declared) {
    const names = [readerName(type), messageReaderName(type), writerName(type), resultWriterName(type.name)];
    for (const name of names) file.uniqueName(name);
  }
  for (const { name } of models) {
    for (const exported of [readerName({ name }), writerName({ name })]) file.uniqueName(exported);
  }
  const texts = new TypeText(file, types);
  const reader = new ReaderEmitter(file, types, texts);
  const writer = new WriterEmitter(file, types, texts);
  for (const type of declared) {
    if (needs.instances.has(type.id)) reader.emitMessage(type);
    if (needs.read.has(type.id)) reader.emitNamed(type);
    if (needs.written.has(type.id)) writer.emitNamed(type);
  }
  for (const { command, result } of results) writer.emitUnnamed(resultWriterName(command), result);
  for (const { name, type } of models) {
    reader.emitUnnamed(readerName({ name }), type);
    writer.emitUnnamed(writerName({ name }), type);
  }
  return file;
}
