import type { NamedType, ServiceModel, TypeModel } from '../model/index.js';
import { jsonModule, messageReaderName, readerName, writerName } from './names.js';
import { ReaderEmitter } from './reader-emitter.js';
import { SourceFile } from './source-file.js';
import { isScalar, type TypeIndex } from './type-index.js';
import { TypeText } from './type-text.js';
import { WriterEmitter } from './writer-emitter.js';

/** Readers and writers, in one module per module that declares types. What nobody reads has no reader, what nobody writes no writer. */
export function emitJsonModules(model: ServiceModel, types: TypeIndex): SourceFile[] {
  const requests = model.endpoints.flatMap(({ requestTypeId }) => (requestTypeId === null ? [] : [requestTypeId]));
  const messages = model.messages.map((message) => message.typeId);
  const results = model.endpoints.map((endpoint) => endpoint.result);

  const instances = new Set([...messages, ...requests]);
  const typeOf = (id: string): TypeModel => types.get(id).type;
  const read = types.reachable([...instances].map(typeOf));
  const written = types.reachable([...messages.map((id): TypeModel => ({ kind: 'ref', id })), ...results]);

  const modules = new Modules(types);
  for (const type of model.types) {
    if (isScalar(type.type)) continue;
    const { reader, writer } = modules.of(type.module);
    if (instances.has(type.id)) reader().emitMessage(type);
    if (read.has(type.id)) reader().emitNamed(type);
    if (written.has(type.id)) writer().emitNamed(type);
  }
  for (const { command, result } of model.endpoints) {
    if (hasOwnWriter(result, types)) continue;
    const { module } = model.messages.find((message) => message.name === command)!;
    modules.of(module).writer().emitUnnamed(resultWriterName(command), result);
  }
  return modules.files();
}

/** Whether a result is written by the writer of its named type. */
export function hasOwnWriter(result: TypeModel, types: TypeIndex): result is { kind: 'ref'; id: string } {
  return result.kind === 'ref' && !isScalar(types.get(result.id).type);
}

export function resultWriterName(command: string): string {
  return `write${command}Result`;
}

interface JsonModule {
  readonly reader: () => ReaderEmitter;
  readonly writer: () => WriterEmitter;
}

/** The files under way; one comes into being when something is put into it. */
class Modules {
  readonly #types: TypeIndex;
  readonly #files = new Map<string, { file: SourceFile; texts: TypeText }>();

  constructor(types: TypeIndex) {
    this.#types = types;
  }

  of(declaredIn: NamedType['module']): JsonModule {
    const open = (): { file: SourceFile; texts: TypeText } => {
      const module = jsonModule(declaredIn);
      let entry = this.#files.get(module);
      if (entry === undefined) {
        const file = new SourceFile(module);
        // What the file exports keeps its name, whatever helpers come to stand beside it.
        for (const type of this.#types.all) {
          if (jsonModule(type.module) !== module) continue;
          const names = [readerName(type), messageReaderName(type), writerName(type), resultWriterName(type.name)];
          for (const name of names) file.uniqueName(name);
        }
        this.#files.set(module, (entry = { file, texts: new TypeText(file, this.#types) }));
      }
      return entry;
    };
    return {
      reader: () => new ReaderEmitter(open().file, this.#types, open().texts),
      writer: () => new WriterEmitter(open().file, this.#types, open().texts),
    };
  }

  files(): SourceFile[] {
    return [...this.#files.values()].map(({ file }) => file);
  }
}
