import { problem, type Diagnostic } from '../diagnostics/index.js';
import type { ServiceModel } from '../model/index.js';
import { assemble } from './assembly/assemble.js';
import { findCandidates } from './candidates.js';
import { syntaxErrorsOf, ts } from './compiler.js';
import { Compilation } from './compilation.js';
import { readConfiguration, type Configuration } from './configuration.js';
import { readCoreSymbols } from './core-symbols.js';
import { Dependencies, type LinkedFile } from './dependencies.js';
import { EndpointCalls } from './endpoint-calls.js';
import type { ModuleFacts } from './facts.js';
import { scanOf, type FileScan } from './file-scan.js';
import { Heritage } from './heritage.js';
import { diagnosticAt, locationAt, startOf } from './locations.js';
import { ModuleContext, type ProgramContext } from './module-context.js';
import { readModule } from './module-facts.js';
import { ProgramSource } from './program-source.js';
import { ProjectPaths, withSlashes, type Project } from './project.js';
import { SourceStore } from './source-store.js';
import { TypeConverter } from './types/index.js';

export interface Analysis {
  /** What could be understood. */
  readonly model: ServiceModel;
  /** Everything that is wrong, sorted. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads a project, again and again: what has not changed since the last time is not read again. */
export class ProgramAnalyzer {
  readonly #project: Project;
  readonly #paths: ProjectPaths;
  #session: Session | undefined;

  constructor(project: Project) {
    this.#project = project;
    this.#paths = new ProjectPaths(project);
  }

  /** Analyses the program as it is on disk now. `changedFiles`: absolute paths, when the caller knows all that changed. */
  analyze(changedFiles?: ReadonlySet<string>): Analysis {
    const changed = changedFiles === undefined ? undefined : new Set([...changedFiles].map(withSlashes));
    if (this.#session === undefined || !this.#session.accepts(changed)) {
      const configuration = readConfiguration(this.#project, this.#paths);
      if (this.#session?.isFor(configuration) !== true) this.#session = new Session(this.#paths, configuration);
      else this.#session.update(configuration);
    }
    return this.#session.analyze(this.#project.namespace, changed);
  }
}
