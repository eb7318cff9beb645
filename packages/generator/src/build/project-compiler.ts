import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ts } from '../analysis/compiler.js';
import { withSlashes, type Project } from '../analysis/project.js';

/** A compiler error: its location, its code and a message. */
export interface CompilerError {
  /** Relative to the project's directory, with `/`; null: the error belongs to no file. */
  readonly file: string | null;
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
  /** `TS2322`. */
  readonly code: string;
  readonly message: string;
}

/** The result of one compilation. */
export interface Compilation {
  /** Nothing is written if there are any. */
  readonly errors: readonly CompilerError[];
  /** The number of JavaScript files that were written. */
  readonly written: number;
}

/**
 * Compiles the sources of a project repeatedly into the `outDir` of its tsconfig, without its tests. Checks and writes only what has changed since the last time. It uses the compiler of the
 * generator, so it stays in this process (decision 0113).
 */
export class ProjectCompiler {
  readonly #project: Project;
  readonly #sources = new Map<string, ts.SourceFile>();
  #roots = '';
  #builder: ts.EmitAndSemanticDiagnosticsBuilderProgram | undefined;

  constructor(project: Project) {
    this.#project = project;
  }

  /** The JavaScript file that a source becomes. */
  outputOf(source: string): string {
    const config = this.#readConfig();
    if ('errors' in config) throw new Error(config.errors.map(({ message }) => message).join('\n'));
    const { rootDir = this.#project.sourceRoot, outDir } = config.options;
    return join(outDir!, relative(rootDir, source).replace(/\.ts$/, '.js'));
  }

  /** Compiles the project on disk. `changedFiles`: absolute paths, if the caller knows everything that changed. */
  compile(changedFiles?: ReadonlySet<string>): Compilation {
    this.#forget(changedFiles);
    const config = this.#readConfig();
    if ('errors' in config) return { errors: config.errors, written: 0 };
    const { fileNames, options } = config;
    const roots = JSON.stringify([fileNames, options]);
    // After files were added or removed, imports resolve differently.
    const old = roots === this.#roots ? this.#builder : undefined;
    const builder = ts.createEmitAndSemanticDiagnosticsBuilderProgram(fileNames, options, this.#hostFor(options), old);
    this.#roots = roots;
    this.#builder = builder;
    const found = [
      ...builder.getOptionsDiagnostics(),
      ...builder.getGlobalDiagnostics(),
      ...builder.getSyntacticDiagnostics(),
      ...builder.getSemanticDiagnostics(),
    ];
    const errors = found.filter(({ category }) => category === ts.DiagnosticCategory.Error);
    if (errors.length > 0) return { errors: errors.map((error) => this.#described(error)), written: 0 };
    let written = 0;
    builder.emit(undefined, (path, text) => {
      if (path.endsWith('.d.ts')) return;
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      if (path.endsWith('js')) written++;
    });
    return { errors: [], written };
  }

  /** Packages are read once; sources when they change. */
  #forget(changedFiles: ReadonlySet<string> | undefined): void {
    if (changedFiles !== undefined) {
      for (const file of changedFiles) this.#sources.delete(withSlashes(file));
      return;
    }
    const root = `${withSlashes(this.#project.sourceRoot)}/`;
    for (const file of this.#sources.keys()) if (file.startsWith(root)) this.#sources.delete(file);
  }

  #readConfig(): { fileNames: string[]; options: ts.CompilerOptions } | { errors: CompilerError[] } {
    const { tsconfig } = this.#project;
    const failures: ts.Diagnostic[] = [];
    const parsed = ts.getParsedCommandLineOfConfigFile(tsconfig, overridden, {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: (failure) => failures.push(failure),
    });
    const errors = [...failures, ...(parsed?.errors ?? [])];
    if (parsed === undefined || errors.length > 0) return { errors: errors.map((error) => this.#described(error)) };
    if (parsed.options.outDir === undefined || !existsSync(tsconfig)) {
      const message = 'Set "outDir" in the compiler options, such as "dist".';
      return { errors: [{ file: this.#shown(tsconfig), line: 1, column: 1, code: 'SVC1401', message }] };
    }
    const fileNames = parsed.fileNames.filter((file) => !/\.test\.[cm]?tsx?$/.test(file));
    return { fileNames, options: parsed.options };
  }

  #hostFor(options: ts.CompilerOptions): ts.CompilerHost {
    const host = ts.createIncrementalCompilerHost(options);
    return {
      ...host,
      getSourceFile: (file, ...rest) => {
        let source = this.#sources.get(file);
        if (source === undefined) {
          source = host.getSourceFile(file, ...rest);
          if (source !== undefined) this.#sources.set(file, source);
        }
        return source;
      },
    };
  }

  #described({ file, start, code, messageText }: ts.Diagnostic): CompilerError {
    const place =
      file === undefined || start === undefined
        ? { line: 0, character: 0 }
        : ts.getLineAndCharacterOfPosition(file, start);
    return {
      file: file === undefined ? null : this.#shown(file.fileName),
      line: place.line + 1,
      column: place.character + 1,
      code: `TS${code}`,
      message: ts.flattenDiagnosticMessageText(messageText, '\n'),
    };
  }

  #shown(file: string): string {
    const root = `${withSlashes(this.#project.directory)}/`;
    const path = withSlashes(file);
    return path.startsWith(root) ? path.slice(root.length) : path;
  }
}

/** Declarations and the incremental state of other builds are not needed. */
const overridden: ts.CompilerOptions = {
  noEmit: false,
  noEmitOnError: false,
  composite: false,
  incremental: false,
  declaration: true,
  declarationMap: false,
  emitDeclarationOnly: false,
  sourceMap: true,
};
