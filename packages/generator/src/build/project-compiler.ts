import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ts } from '../analysis/compiler.js';
import { withSlashes, type Project } from '../analysis/project.js';
import { CompilerError } from './compiler-error.js';
import { ImportGraph } from './import-graph.js';

/** The result of one compilation. */
export interface Compilation {
  /** Nothing is written if there are any. */
  readonly errors: readonly CompilerError[];
  /** The number of files that were written. */
  readonly written: number;
}

/**
 * Compiles the sources of a project repeatedly into the `outDir` of its tsconfig, without its tests. It checks only what has changed, and what imports a
 * module whose types have changed. It uses the compiler of the generator, in this process (decision 0113).
 */
export class ProjectCompiler {
  readonly #project: Project;
  readonly #graph = new ImportGraph();
  readonly #sources = new Map<string, ts.SourceFile>();
  /** The declarations of each source: if they stay the same, its importers need no check. */
  readonly #shapes = new Map<string, string>();
  readonly #errors = new Map<string, readonly CompilerError[]>();
  /** Output that waits until there are no errors. */
  readonly #pending = new Map<string, string>();
  #roots = '';
  #program: ts.Program | undefined;

  constructor(project: Project) {
    this.#project = project;
  }

  /** The JavaScript file that a source becomes. Throws if the tsconfig is invalid. */
  outputOf(source: string): string {
    const config = this.#readConfig();
    if ('errors' in config) throw new Error(config.errors.map((error) => error.format()).join('\n'));
    const { rootDir = this.#project.sourceRoot, outDir } = config.options;
    return join(outDir!, relative(rootDir, source).replace(/\.ts$/, '.js'));
  }

  /** Compiles the project on disk. `changedFiles`: absolute paths, if the caller knows everything that changed. */
  compile(changedFiles?: ReadonlySet<string>): Compilation {
    const changed = this.#forget(changedFiles);
    const config = this.#readConfig();
    if ('errors' in config) return { errors: config.errors, written: 0 };
    const { fileNames, options } = config;
    const roots = JSON.stringify([fileNames, options]);
    // After files were added or removed, imports resolve differently.
    const old = roots === this.#roots ? this.#program : undefined;
    const program = ts.createProgram({
      rootNames: fileNames,
      options,
      host: this.#hostFor(options),
      ...(old !== undefined && { oldProgram: old }),
    });
    this.#roots = roots;
    this.#program = program;
    const sources = program.getSourceFiles().filter((file) => this.#isOwn(file, program));
    const isAll = old === undefined || changed === undefined;
    if (isAll) this.#errors.clear();
    const affected = this.#emit(
      program,
      sources,
      sources.filter(({ fileName }) => isAll || changed.has(fileName)),
    );
    for (const file of affected) this.#errors.set(file.fileName, this.#check(program, file));
    const general = [...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics()];
    const errors = [...this.#described(general), ...[...this.#errors.values()].flat()];
    return errors.length > 0 ? { errors, written: 0 } : { errors, written: this.#write() };
  }

  /** Makes changed sources be read again. Packages are read once. Undefined: any source may have changed. */
  #forget(changedFiles: ReadonlySet<string> | undefined): ReadonlySet<string> | undefined {
    if (changedFiles === undefined) {
      const root = `${withSlashes(this.#project.sourceRoot)}/`;
      for (const file of this.#sources.keys()) if (file.startsWith(root)) this.#sources.delete(file);
      return undefined;
    }
    const changed = new Set([...changedFiles].map(withSlashes));
    for (const file of changed) {
      this.#sources.delete(file);
      // It may have been removed; otherwise it is checked again.
      this.#errors.delete(file);
    }
    return changed;
  }

  #isOwn(file: ts.SourceFile, program: ts.Program): boolean {
    return !file.isDeclarationFile && !program.isSourceFileFromExternalLibrary(file);
  }

  /** Emits sources into memory. Returns what has to be checked: these sources, and the importers of those whose declarations are different now. */
  #emit(program: ts.Program, all: readonly ts.SourceFile[], sources: readonly ts.SourceFile[]): ts.SourceFile[] {
    const reshaped: string[] = [];
    let isGlobal = false;
    for (const source of sources) {
      program.emit(source, (path, text) => {
        if (!path.endsWith('.d.ts')) {
          this.#pending.set(path, text);
        } else if (this.#shapes.get(source.fileName) !== text) {
          this.#shapes.set(source.fileName, text);
          reshaped.push(source.fileName);
          if (!ts.isExternalModule(source) || text.includes('declare global')) isGlobal = true;
        }
      });
    }
    if (isGlobal || sources.length === all.length) return [...all];
    const affected = this.#graph.withImporters(reshaped, all, program.getCompilerOptions());
    for (const { fileName } of sources) affected.add(fileName);
    return all.filter(({ fileName }) => affected.has(fileName));
  }

  #check(program: ts.Program, file: ts.SourceFile): readonly CompilerError[] {
    return this.#described([...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]);
  }

  #write(): number {
    const { size } = this.#pending;
    for (const [path, text] of this.#pending) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    this.#pending.clear();
    return size;
  }

  #described(found: readonly ts.Diagnostic[]): CompilerError[] {
    return found
      .filter(({ category }) => category === ts.DiagnosticCategory.Error)
      .map((error) => CompilerError.of(error, this.#project.directory));
  }

  #readConfig(): { fileNames: string[]; options: ts.CompilerOptions } | { errors: readonly CompilerError[] } {
    const { tsconfig, directory } = this.#project;
    const failures: ts.Diagnostic[] = [];
    const parsed = ts.getParsedCommandLineOfConfigFile(tsconfig, overridden, {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: (failure) => failures.push(failure),
    });
    const errors = this.#described([...failures, ...(parsed?.errors ?? [])]);
    if (parsed === undefined || errors.length > 0) return { errors };
    if (parsed.options.outDir === undefined) {
      const message = 'Set "outDir" in the compiler options, such as "dist".';
      return { errors: [CompilerError.at(tsconfig, directory, message)] };
    }
    const fileNames = parsed.fileNames.filter((file) => !/\.test\.[cm]?tsx?$/.test(file));
    return { fileNames, options: parsed.options };
  }

  #hostFor(options: ts.CompilerOptions): ts.CompilerHost {
    const host = ts.createCompilerHost(options);
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
}

/** Declarations are compared, never written. The incremental state of other builds is not needed. */
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
