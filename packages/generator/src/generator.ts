import { ProgramAnalyzer, type Project } from './analysis/index.js';
import type { Diagnostic } from './diagnostics/index.js';
import { emit, KeptTexts } from './emit/index.js';
import { Output, type Drift } from './output.js';

export interface Generation {
  /** Errors to fix first; nothing is written while there are any. */
  readonly diagnostics: readonly Diagnostic[];
  /** How many files the service has. */
  readonly files: number;
  /** What was written, or would be. */
  readonly drift: Drift;
}

const none: Drift = { missing: [], different: [], stale: [] };

/** Generates the code of one project, again and again: what has not changed since the last time is not read again. */
export class Generator {
  readonly #analyzer: ProgramAnalyzer;
  readonly #texts = new KeptTexts();
  readonly #output: Output;

  constructor(project: Project) {
    this.#analyzer = new ProgramAnalyzer(project);
    this.#output = new Output(project.sourceRoot);
  }

  /** Brings the generated files up to date. `changedFiles`: absolute paths, when the caller knows them. */
  write(changedFiles?: ReadonlySet<string>): Generation {
    return this.#run(changedFiles, (files, drift) => this.#output.apply(files, drift));
  }

  /** Says what `write` would do. */
  check(): Generation {
    return this.#run(undefined, () => {});
  }

  #run(
    changedFiles: ReadonlySet<string> | undefined,
    act: (files: ReadonlyMap<string, string>, drift: Drift) => void,
  ): Generation {
    const { model, diagnostics } = this.#analyzer.analyze(changedFiles);
    if (diagnostics.length > 0) return { diagnostics, files: 0, drift: none };
    const files = emit(model, this.#texts);
    const drift = this.#output.compare(files);
    act(files, drift);
    return { diagnostics, files: files.size, drift };
  }
}
