import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { formatDiagnostic, Generator, loadProject, ProjectCompiler, type Project } from '@svc/generator';

/** The result of one build. */
export interface Build {
  /** Lines with file, line and column. The output is unchanged if there are any. */
  readonly problems: readonly string[];
  /** Whether the service has to be restarted. */
  readonly isChanged: boolean;
}

/** More are the consequence of the first ones. */
const mostProblems = 20;

/** Generates and compiles a project repeatedly, only what has changed. */
export class Builder {
  readonly project: Project;
  /** The JavaScript file that starts the service. */
  readonly program: string;
  readonly #generator: Generator;
  readonly #compiler: ProjectCompiler;

  /** Throws an error with a message for the user. */
  constructor(directory: string) {
    const project = loadProject(directory);
    if ('code' in project) throw new Error(formatDiagnostic(project));
    const main = join(project.sourceRoot, 'main.ts');
    if (!existsSync(main)) {
      throw new Error(
        `There is no ${relative(project.directory, main)}, which starts the service. Run svc dev in the folder of a service, or pass --project <folder>.`,
      );
    }
    this.project = project;
    this.#generator = new Generator(project);
    this.#compiler = new ProjectCompiler(project);
    this.program = this.#compiler.outputOf(main);
  }

  /** Builds the project on disk. `changedFiles`: absolute paths, if the caller knows everything that changed. */
  build(changedFiles?: ReadonlySet<string>): Build {
    const { diagnostics, drift } = this.#generator.write(changedFiles);
    if (diagnostics.length > 0) return rejected(diagnostics.map((found) => formatDiagnostic(found)));
    const generated = [...drift.missing, ...drift.different, ...drift.stale];
    const changed =
      changedFiles && new Set([...changedFiles, ...generated.map((path) => join(this.project.sourceRoot, path))]);
    const { errors, written } = this.#compiler.compile(changed);
    return errors.length > 0
      ? rejected(errors.map((error) => error.format()))
      : { problems: [], isChanged: written > 0 };
  }
}

function rejected(problems: readonly string[]): Build {
  const more = problems.length - mostProblems;
  const shown = more > 0 ? [...problems.slice(0, mostProblems), `… and ${more} more`] : problems;
  return { problems: shown, isChanged: false };
}
