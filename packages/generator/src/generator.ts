import { ProgramAnalyzer, ProjectPaths, type Project } from './analysis/index.js';
import { CallerModules } from './caller-modules.js';
import { problem, type Diagnostic } from './diagnostics/index.js';
import { emit, TextCache } from './emit/index.js';
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
  readonly #paths: ProjectPaths;
  readonly #analyzer: ProgramAnalyzer;
  readonly #texts = new TextCache();
  readonly #output: Output;
  readonly #forCallers: CallerModules;

  constructor(project: Project) {
    this.#paths = new ProjectPaths(project);
    this.#analyzer = new ProgramAnalyzer(project);
    this.#forCallers = new CallerModules(project);
    this.#output = new Output(project.sourceRoot, this.#forCallers.paths);
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
    if (diagnostics.length > 0) return failed(diagnostics);
    const { foreign } = this.#output;
    if (foreign !== undefined) return failed([foreignFile(this.#paths.shown(foreign))]);
    const forCallers = this.#forCallers.emit(model);
    if (forCallers.diagnostics.length > 0) return failed(forCallers.diagnostics);
    const files = new Map(emit(model, this.#texts));
    for (const [file, text] of forCallers.texts) files.set(this.#output.pathOf(file), text);
    const drift = this.#output.compare(files);
    act(files, drift);
    return { diagnostics, files: files.size, drift };
  }
}

function failed(diagnostics: readonly Diagnostic[]): Generation {
  return { diagnostics, files: 0, drift: none };
}

function foreignFile(file: string): Diagnostic {
  return { file, line: 1, column: 1, ...problem('SVC1407', file) };
}
