import type { Project } from './analysis/index.js';
import type { Diagnostic } from './diagnostics/index.js';
import { DocumentReader, type DocumentsResult } from './documents/index.js';
import { emitClient, emitDocuments } from './emit/index.js';
import type { ServiceModel } from './model/index.js';

/** The modules that a service has for its callers: the client, and typed documents. */
export class CallerModules {
  readonly #project: Project;
  readonly #documents: DocumentReader | null;
  #last: { readonly read: DocumentsResult; readonly text: string } | undefined;

  constructor(project: Project) {
    this.#project = project;
    this.#documents = project.documents === null ? null : new DocumentReader(project, project.documents);
  }

  /** Where they are, even if they do not exist yet. */
  get paths(): string[] {
    const { client, documents } = this.#project;
    return [client, documents?.file ?? null].filter((file) => file !== null);
  }

  /** Their texts by path, or the problems in documents. */
  emit(model: ServiceModel): {
    readonly diagnostics: readonly Diagnostic[];
    readonly texts: ReadonlyMap<string, string>;
  } {
    const { client, documents } = this.#project;
    const texts = new Map<string, string>();
    if (client !== null) texts.set(client, emitClient(model));
    if (documents === null || this.#documents === null) return { diagnostics: [], texts };
    const read = this.#documents.read(model);
    if (read.diagnostics.length > 0) return { diagnostics: read.diagnostics, texts };
    if (this.#last?.read !== read) this.#last = { read, text: emitDocuments(model, read.documents) };
    texts.set(documents.file, this.#last.text);
    return { diagnostics: [], texts };
  }
}
