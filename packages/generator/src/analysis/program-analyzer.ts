import { existsSync } from 'node:fs';
import type { Diagnostic } from '../diagnostics/index.js';
import type { ServiceModel } from '../model/index.js';
import { AnalysisSession } from './analysis-session.js';
import { assemble } from './assembly/assemble.js';
import { readConfiguration, type Configuration } from './configuration.js';
import { ProjectPaths, withSlashes, type Project } from './project.js';

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
  #configuration: Configuration | undefined;
  #session: AnalysisSession | undefined;

  constructor(project: Project) {
    this.#project = project;
    this.#paths = new ProjectPaths(project);
  }

  /** Analyses the program as it is on disk now. `changedFiles`: absolute paths, when the caller knows all that changed. */
  analyze(changedFiles?: ReadonlySet<string>): Analysis {
    const changed = changedFiles === undefined ? undefined : new Set([...changedFiles].map(withSlashes));
    const { configuration, session } = this.#prepare(changed);
    const { modules, diagnostics } = session.read(configuration.files, changed);
    return assemble(this.#project.namespace, modules, [...configuration.diagnostics, ...diagnostics]);
  }

  #prepare(changed: ReadonlySet<string> | undefined): { configuration: Configuration; session: AnalysisSession } {
    const before = this.#configuration;
    const isSame = before !== undefined && changed !== undefined && !mayChangeFiles(changed, before);
    const configuration = isSame ? before : readConfiguration(this.#project, this.#paths);
    const keeps = this.#session !== undefined && before?.optionsKey === configuration.optionsKey;
    const session = keeps ? this.#session! : new AnalysisSession(this.#paths, configuration.options);
    this.#configuration = configuration;
    this.#session = session;
    return { configuration, session };
  }
}

/** Whether the list of files, or the options, may be different now. */
function mayChangeFiles(changed: ReadonlySet<string>, { files, configFiles }: Configuration): boolean {
  const known = new Set(files);
  return [...changed].some((file) => configFiles.has(file) || known.has(file) !== existsSync(file));
}
