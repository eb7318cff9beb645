import type { EndpointModel, NamedType, ServiceModel, TypeModel } from '../model/index.js';
import type { KeptTexts } from './kept-texts.js';
import { jsonModule, messageReaderName, readerName, writerName } from './names.js';
import { ReaderEmitter } from './reader-emitter.js';
import { pathOf, SourceFile, type EmittedFile } from './source-file.js';
import { isScalar, TypeIndex } from './type-index.js';
import { TypeText } from './type-text.js';
import { WriterEmitter } from './writer-emitter.js';

/** Readers and writers, in one module per module that declares types. What nobody reads has no reader, what nobody writes no writer. */
export function emitJsonModules(model: ServiceModel, types: TypeIndex, texts: KeptTexts): EmittedFile[] {
  const needs = needsOf(model, types);
  return contentsOf(model, types).flatMap((contents) => {
    const { module, types: declared, results } = contents;
    const needed = declared.flatMap(({ id }) => [needs.instances.has(id), needs.read.has(id), needs.written.has(id)]);
    if (results.length === 0 && !needed.includes(true)) return [];
    const from = [...declared, ...needed, ...results.flatMap(({ command, result }) => [command, result])];
    const text = texts.get(module, from, types.find, (find) => emitModule(contents, needs, new TypeIndex(find)).text());
    return [[pathOf(module), text]];
  });
}

/** Whether a result is written by the writer of its named type. */
export function hasOwnWriter(result: TypeModel, types: TypeIndex): result is { kind: 'ref'; id: string } {
  return result.kind === 'ref' && !isScalar(types.get(result.id).type);
}

export function resultWriterName(command: string): string {
  return `write${command}Result`;
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
  const asRefs = messages.map((id): TypeModel => ({ kind: 'ref', id }));
  return {
    instances,
    read: types.reachable([...instances].map((id) => types.get(id).type)),
    written: types.reachable([...asRefs, ...model.endpoints.map((endpoint) => endpoint.result)]),
  };
}

/** What one generated module is about. */
interface ModuleContents {
  readonly module: string;
  readonly types: NamedType[];
  /** Endpoints of its commands whose result has no name. */
  readonly results: EndpointModel[];
}

function contentsOf(model: ServiceModel, types: TypeIndex): ModuleContents[] {
  const modules = new Map<string, ModuleContents>();
  const contents = (declaredIn: NamedType['module']): ModuleContents => {
    const module = jsonModule(declaredIn);
    let found = modules.get(module);
    if (found === undefined) modules.set(module, (found = { module, types: [], results: [] }));
    return found;
  };
  for (const type of model.types) if (!isScalar(type.type)) contents(type.module).types.push(type);
  const commandModules = new Map(model.messages.map((message) => [message.name, message.module]));
  for (const endpoint of model.endpoints) {
    if (!hasOwnWriter(endpoint.result, types)) contents(commandModules.get(endpoint.command)!).results.push(endpoint);
  }
  return [...modules.values()];
}

function emitModule({ module, types: declared, results }: ModuleContents, needs: Needs, types: TypeIndex): SourceFile {
  const file = new SourceFile(module);
  // What the file exports keeps its name, whatever helpers come to stand beside it.
  for (const type of declared) {
    const names = [readerName(type), messageReaderName(type), writerName(type), resultWriterName(type.name)];
    for (const name of names) file.uniqueName(name);
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
  return file;
}
