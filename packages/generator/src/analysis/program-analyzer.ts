import { existsSync } from 'node:fs';
import type { Diagnostic } from '../diagnostics/index.js';
import type { ServiceModel } from '../model/index.js';
import { AnalysisSession, type Reading } from './analysis-session.js';
import { assemble } from './assembly/assemble.js';
import { readConfiguration, type Configuration } from './configuration.js';
import { ProjectPaths, withSlashes, type Project } from './project.js';

export interface Analysis {
  /** The part of the service that could be read. */
  readonly model: ServiceModel;
  /** All diagnostics, sorted. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Analyses a project repeatedly. Reads only what has changed since the last time. */
export class ProgramAnalyzer {
  readonly #project: Project;
  readonly #paths: ProjectPaths;
  #configuration: Configuration | undefined;
  #session: AnalysisSession | undefined;
  #last: { readonly configuration: Configuration; readonly reading: Reading; readonly analysis: Analysis } | undefined;

  constructor(project: Project) {
    this.#project = project;
    this.#paths = new ProjectPaths(project);
  }

  /** Analyses the program on disk. `changedFiles`: absolute paths, if the caller knows everything that changed. */
  analyze(changedFiles?: ReadonlySet<string>): Analysis {
    const changed = changedFiles === undefined ? undefined : new Set([...changedFiles].map(withSlashes));
    const { configuration, session } = this.#prepare(changed);
    const reading = session.read(configuration.files, changed);
    if (this.#last?.reading === reading && this.#last.configuration === configuration) return this.#last.analysis;
    const diagnostics = [
      ...configuration.diagnostics,
      ...(reading.hasDecorators ? configuration.decoratorFaults : []),
      ...reading.diagnostics,
    ];
    const analysis = assemble(this.#project.namespace, reading.modules, reading.registrations, diagnostics);
    this.#last = { configuration, reading, analysis };
    return analysis;
  }

  #prepare(changed: ReadonlySet<string> | undefined): { configuration: Configuration; session: AnalysisSession } {
    const before = this.#configuration;
    const isSame = before !== undefined && changed !== undefined && !mayChangeFiles(changed, before);
    const configuration = isSame ? before : readConfiguration(this.#project, this.#paths);
    const canReuse = this.#session !== undefined && before?.optionsKey === configuration.optionsKey;
    const session = canReuse ? this.#session! : new AnalysisSession(this.#paths, configuration.options);
    this.#configuration = configuration;
    this.#session = session;
    return { configuration, session };
  }
}

/** Whether the list of files or the options may have changed. */
function mayChangeFiles(changed: ReadonlySet<string>, { files, configFiles }: Configuration): boolean {
  const known = new Set(files);
  return [...changed].some((file) => configFiles.has(file) || known.has(file) !== existsSync(file));
}
