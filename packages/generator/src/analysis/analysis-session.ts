import { problem, type Diagnostic } from '../diagnostics/index.js';
import { findCandidates } from './candidates.js';
import { syntaxErrorsOf, ts } from './compiler.js';
import { Compilation } from './compilation.js';
import { readCoreSymbols } from './core-symbols.js';
import { Dependencies } from './dependencies.js';
import { EndpointCalls } from './endpoint-calls.js';
import type { ModuleFacts } from './facts.js';
import { scanOf } from './file-scan.js';
import { Heritage } from './heritage.js';
import { diagnosticAt, locationAt, startOf } from './locations.js';
import { ModuleContext, type ProgramContext } from './module-context.js';
import { readModule } from './module-facts.js';
import { ProgramSource } from './program-source.js';
import type { ProjectPaths } from './project.js';
import { SourceStore } from './source-store.js';
import { TypeConverter } from './types/index.js';

/** What the modules say, and what is wrong that belongs to no single one of them. */
export interface Reading {
  readonly modules: readonly ModuleFacts[];
  readonly diagnostics: readonly Diagnostic[];
}

/** One analysis after the other under the same compiler options. Keeps each module's facts until something they rest on changes. */
export class AnalysisSession {
  readonly #paths: ProjectPaths;
  readonly #store: SourceStore;
  readonly #programs: ProgramSource;
  readonly #facts = new Map<string, ModuleFacts>();
  #files: readonly string[] = [];
  #dependencies = new Dependencies(new Map());

  constructor(paths: ProjectPaths, options: ts.CompilerOptions) {
    const canonical = (file: string): string => (ts.sys.useCaseSensitiveFileNames ? file : file.toLowerCase());
    const cache = ts.createModuleResolutionCache(paths.directory, canonical, options);
    this.#paths = paths;
    this.#store = new SourceStore(paths, options, cache);
    this.#programs = new ProgramSource(paths, options, this.#store, cache);
  }

  /** Reads the modules of a project. `touched`: all files that may have changed since the last time, when that is known. */
  read(files: readonly string[], touched: ReadonlySet<string> | undefined): Reading {
    const ambientBefore = this.#ambientFiles();
    const changed = this.#refresh(files, touched);
    const diagnostics = this.#syntaxErrors();
    const core = this.#programs.resolvePackage('@svc/core');
    if (core === undefined) {
      const missing = problem('SVC1405', this.#paths.shown(this.#paths.sourceRoot));
      return { modules: [], diagnostics: [...diagnostics, diagnosticAt(startOf('package.json'), missing)] };
    }
    const candidates = findCandidates(this.#scans());
    const { program, moved } = this.#programs.next([...candidates, core]);
    this.#forget(new Set([...changed, ...moved]), [...ambientBefore, ...this.#ambientFiles()], new Set(candidates));
    this.#readMissing(candidates, program, core);
    this.#dependencies = this.#dependenciesOf(program);
    return {
      modules: candidates.map((file) => this.#facts.get(file)).filter((facts) => facts !== undefined),
      diagnostics,
    };
  }

  /** Brings the parsed files up to date; returns those that changed, came or went. */
  #refresh(files: readonly string[], touched: ReadonlySet<string> | undefined): ReadonlySet<string> {
    const changed = this.#store.refresh(touched);
    const before = new Set(this.#files);
    const now = new Set(files);
    const moved = [...files.filter((file) => !before.has(file)), ...this.#files.filter((file) => !now.has(file))];
    if (moved.length > 0 || (touched === undefined && this.#programs.hasUnresolvedImports)) {
      this.#programs.forgetResolutions();
    }
    this.#files = files;
    return new Set([...changed, ...moved]);
  }

  #syntaxErrors(): Diagnostic[] {
    return this.#sources().flatMap(([, source]) =>
      syntaxErrorsOf(source).map((error) => {
        const reason = ts.flattenDiagnosticMessageText(error.messageText, ' ');
        return diagnosticAt(locationAt(source, error.start ?? 0, this.#paths), problem('SVC1404', reason));
      }),
    );
  }

  #sources(): [string, ts.SourceFile][] {
    return this.#files.flatMap((file) => {
      const source = this.#store.get(file);
      return source === undefined ? [] : [[file, source] as [string, ts.SourceFile]];
    });
  }

  #scans(): ReadonlyMap<string, ReturnType<typeof scanOf>> {
    return new Map(this.#sources().map(([file, source]) => [file, scanOf(source)]));
  }

  #ambientFiles(): string[] {
    return [...this.#scans()].filter(([, scan]) => scan.isAmbient).map(([file]) => file);
  }

  /** Drops the facts that may not hold any more. */
  #forget(changed: ReadonlySet<string>, ambient: readonly string[], candidates: ReadonlySet<string>): void {
    const affectsAll =
      ambient.some((file) => changed.has(file)) || [...changed].some((file) => !this.#paths.isBelowSourceRoot(file));
    const affected = this.#dependencies.affectedBy(changed);
    for (const file of [...this.#facts.keys()]) {
      if (affectsAll || affected.has(file) || !candidates.has(file)) this.#facts.delete(file);
    }
  }

  #readMissing(candidates: readonly string[], program: ts.Program, core: string): void {
    const missing = candidates.filter((file) => !this.#facts.has(file));
    if (missing.length === 0) return;
    const context = this.#createContext(program, core);
    if (context === undefined) return;
    for (const file of missing) {
      const source = program.getSourceFile(file);
      const module = this.#paths.moduleOf(file);
      if (source === undefined || module === null) continue;
      this.#facts.set(file, readModule(new ModuleContext(context, source, module)));
    }
  }

  #createContext(program: ts.Program, core: string): ProgramContext | undefined {
    const file = program.getSourceFile(core);
    const symbols = file === undefined ? undefined : readCoreSymbols(file, program.getTypeChecker());
    if (symbols === undefined) return undefined;
    const compilation = new Compilation(program, symbols, this.#paths);
    return {
      compilation,
      heritage: new Heritage(compilation),
      endpointCalls: new EndpointCalls(compilation),
      types: new TypeConverter(compilation),
    };
  }

  #dependenciesOf(program: ts.Program): Dependencies {
    const own = program.getSourceFiles().filter(({ fileName }) => this.#paths.isBelowSourceRoot(fileName));
    return new Dependencies(
      new Map(
        own.map((file) => [
          file.fileName,
          { scan: scanOf(file), targets: this.#programs.resolutionsOf(file.fileName) },
        ]),
      ),
    );
  }
}
