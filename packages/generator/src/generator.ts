import { basename } from 'node:path';
import { ProgramAnalyzer, ProjectPaths, type Project } from './analysis/index.js';
import { problem, type Diagnostic } from './diagnostics/index.js';
import { DocumentFiles, readDocuments } from './documents/index.js';
import { emit, emitClient, emitDocuments, TextCache } from './emit/index.js';
import type { ServiceModel } from './model/index.js';
import { Output, type Drift } from './output.js';

/** The result of one run of the generator. */
export interface Generation {
  /** The problems to fix. Nothing is written if there are any. */
  readonly diagnostics: readonly Diagnostic[];
  /** The number of generated files. */
  readonly files: number;
  /** What was written, or would be. */
  readonly drift: Drift;
}

const none: Drift = { missing: [], different: [], stale: [] };

/** Generates the code of one project repeatedly. Reads only what has changed since the last time. */
export class Generator {
  readonly #project: Project;
  readonly #analyzer: ProgramAnalyzer;
  readonly #texts = new TextCache();
  readonly #output: Output;
  readonly #documents: DocumentFiles | null;

  constructor(project: Project) {
    const { sourceRoot, client, documents } = project;
    this.#project = project;
    this.#analyzer = new ProgramAnalyzer(project);
    const others = [client, documents?.file ?? null].filter((file) => file !== null);
    this.#output = new Output(sourceRoot, others);
    this.#documents = documents && new DocumentFiles(documents.folders, basename(documents.file, '.ts'), others);
  }

  /** Updates the generated files. `changedFiles`: absolute paths, if the caller knows them. */
  write(changedFiles?: ReadonlySet<string>): Generation {
    return this.#run(changedFiles, (files, drift) => this.#output.apply(files, drift));
  }

  /** Reports what `write` would do. */
  check(): Generation {
    return this.#run(undefined, () => {});
  }

  #run(
    changedFiles: ReadonlySet<string> | undefined,
    act: (files: ReadonlyMap<string, string>, drift: Drift) => void,
  ): Generation {
    const { model, diagnostics } = this.#analyzer.analyze(changedFiles);
    if (diagnostics.length > 0) return { diagnostics, files: 0, drift: none };
    const forCallers = this.#forCallers(model);
    if (forCallers.diagnostics.length > 0) return { diagnostics: forCallers.diagnostics, files: 0, drift: none };
    const files = new Map([...emit(model, this.#texts), ...forCallers.files]);
    const drift = this.#output.compare(files);
    act(files, drift);
    return { diagnostics, files: files.size, drift };
  }

  /** The client and the documents. */
  #forCallers(
    model: ServiceModel,
  ): Pick<Generation, 'diagnostics'> & { readonly files: [path: string, text: string][] } {
    const { client, documents } = this.#project;
    const paths = new ProjectPaths(this.#project);
    const { foreign } = this.#output;
    if (foreign !== undefined) {
      const file = paths.shown(foreign);
      return { diagnostics: [{ file, line: 1, column: 1, ...problem('SVC1407', file) }], files: [] };
    }
    const files: [string, string][] = [];
    if (client !== null) files.push([this.#output.pathOf(client), emitClient(model)]);
    if (documents === null || this.#documents === null) return { diagnostics: [], files };
    const read = readDocuments(model, this.#documents.read(), (file) => paths.shown(file));
    if (read.diagnostics.length === 0)
      files.push([this.#output.pathOf(documents.file), emitDocuments(model, read.documents)]);
    return { diagnostics: read.diagnostics, files };
  }
}
