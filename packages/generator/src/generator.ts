import { relative } from 'node:path';
import { ProgramAnalyzer, type Project } from './analysis/index.js';
import { problem, type Diagnostic } from './diagnostics/index.js';
import { emit, emitClient, TextCache } from './emit/index.js';
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

  constructor(project: Project) {
    this.#project = project;
    this.#analyzer = new ProgramAnalyzer(project);
    this.#output = new Output(project.sourceRoot, project.client);
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
    const { client, directory } = this.#project;
    if (client !== null && this.#output.isClientForeign) {
      return { diagnostics: [foreignClient(relative(directory, client))], files: 0, drift: none };
    }
    const files = new Map(emit(model, this.#texts));
    if (client !== null) files.set(this.#output.pathOf(client), emitClient(model));
    const drift = this.#output.compare(files);
    act(files, drift);
    return { diagnostics, files: files.size, drift };
  }
}

function foreignClient(file: string): Diagnostic {
  return { file, line: 1, column: 1, ...problem('SVC1407', file) };
}
