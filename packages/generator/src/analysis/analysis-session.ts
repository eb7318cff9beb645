import { problem, type Diagnostic } from '../diagnostics/index.js';
import { findCandidates } from './candidates.js';
import { syntaxErrorsOf, ts } from './compiler.js';
import { Compilation } from './compilation.js';
import { readCoreSymbols } from './core-symbols.js';
import { DecoratorCalls } from './decorator-calls.js';
import { Dependencies } from './dependencies.js';
import type { ModuleFacts } from './facts.js';
import { scanOf } from './file-scan.js';
import { Heritage } from './heritage.js';
import { diagnosticAt, locationAt, startOf } from './locations.js';
import { ModuleContext, type ProgramContext } from './module-context.js';
import { readModule } from './module-facts.js';
import { ProgramSource } from './program-source.js';
import type { ProjectPaths } from './project.js';
import { registrationsIn, type Registrations } from './registrations.js';
import { SourceStore } from './source-store.js';
import { TypeConverter, type TypeDraft } from './types/index.js';

/** The facts of the modules, and the problems that belong to no single module. */
export interface Reading {
  readonly modules: readonly ModuleFacts[];
  readonly diagnostics: readonly Diagnostic[];
  readonly hasDecorators: boolean;
  readonly registrations: Registrations;
}

/** Runs one analysis after the other with the same compiler options. Caches each module's facts until a dependency changes. */
export class AnalysisSession {
  readonly #paths: ProjectPaths;
  readonly #store: SourceStore;
  readonly #programs: ProgramSource;
  readonly #facts = new Map<string, ModuleFacts>();
  #files: readonly string[] = [];
  /** Files that any other file may depend on without an import. */
  #ambient: readonly string[] = [];
  /** The last result, as long as nothing has changed since. */
  #last: Reading | undefined;
  #dependencies = new Dependencies(new Map());

  constructor(paths: ProjectPaths, options: ts.CompilerOptions) {
    const canonical = (file: string): string => (ts.sys.useCaseSensitiveFileNames ? file : file.toLowerCase());
    const cache = ts.createModuleResolutionCache(paths.directory, canonical, options);
    this.#paths = paths;
    this.#store = new SourceStore(paths, options, cache);
    this.#programs = new ProgramSource(paths, options, this.#store, cache);
  }

  /** Reads the modules of a project. `touched`: all files that may have changed since the last analysis, if known. */
  read(files: readonly string[], touched: ReadonlySet<string> | undefined): Reading {
    const changed = this.#refresh(files, touched);
    if (changed.size === 0 && this.#last !== undefined) return this.#last;
    const sources = this.#files.map((file) => this.#store.get(file)).filter((source) => source !== undefined);
    const diagnostics = sources.flatMap((source) => this.#syntaxErrors(source));
    const modules = this.#readModules(sources, changed);
    if (modules === null) return this.#readingWithoutCore(diagnostics);
    const hasDecorators = sources.some((source) => scanOf(source).hasDecorators);
    this.#last = { modules, diagnostics, hasDecorators, registrations: registrationsIn(sources) };
    return this.#last;
  }

  /** Null if core, whose interfaces identify everything, is not installed. */
  #readModules(sources: readonly ts.SourceFile[], changed: ReadonlySet<string>): ModuleFacts[] | null {
    const core = this.#programs.resolvePackage('@svc/core');
    if (core === undefined) return null;
    const scans = new Map(sources.map((source) => [source.fileName, scanOf(source)]));
    const candidates = findCandidates(scans);
    const ambient = [...scans].filter(([, { isAmbient }]) => isAmbient).map(([file]) => file);
    const { program, moved } = this.#programs.next([...new Set([...candidates, ...ambient, core])]);
    this.#forget(new Set([...changed, ...moved]), [...this.#ambient, ...ambient], new Set(candidates));
    const missing = candidates.filter((file) => !this.#facts.has(file));
    if (missing.length > 0) {
      const context = this.#createContext(program, core);
      if (context === undefined) return null;
      for (const file of missing) this.#readModule(file, context);
    }
    this.#ambient = ambient;
    this.#dependencies = this.#dependenciesOf(program);
    return candidates.map((file) => this.#facts.get(file)).filter((facts) => facts !== undefined);
  }

  #readingWithoutCore(diagnostics: readonly Diagnostic[]): Reading {
    this.#programs.forgetResolutions();
    this.#facts.clear();
    this.#last = undefined;
    const missing = problem('SVC1405', this.#paths.shown(this.#paths.sourceRoot));
    return {
      modules: [],
      diagnostics: [...diagnostics, diagnosticAt(startOf('package.json'), missing)],
      hasDecorators: false,
      registrations: registrationsIn([]),
    };
  }

  /** Updates the parsed files and returns those that were changed, added or removed. */
  #refresh(files: readonly string[], touched: ReadonlySet<string> | undefined): ReadonlySet<string> {
    const changed = this.#store.refresh(touched);
    const before = new Set(this.#files);
    const now = new Set(files);
    const moved = [...files.filter((file) => !before.has(file)), ...this.#files.filter((file) => !now.has(file))];
    if (moved.length > 0 || (touched === undefined && this.#programs.hasUnresolvedImports)) {
      this.#programs.forgetResolutions();
      this.#last = undefined;
    }
    this.#files = files;
    return new Set([...changed, ...moved]);
  }

  #syntaxErrors(source: ts.SourceFile): Diagnostic[] {
    return syntaxErrorsOf(source).map((error) => {
      const reason = ts.flattenDiagnosticMessageText(error.messageText, ' ');
      return diagnosticAt(locationAt(source, error.start ?? 0, this.#paths), problem('SVC1404', reason));
    });
  }

  /** Drops facts that may be outdated. */
  #forget(changed: ReadonlySet<string>, ambient: readonly string[], candidates: ReadonlySet<string>): void {
    const affectsAll =
      ambient.some((file) => changed.has(file)) || [...changed].some((file) => !this.#paths.isBelowSourceRoot(file));
    const affected = this.#dependencies.affectedBy(changed);
    for (const file of this.#facts.keys()) {
      if (affectsAll || affected.has(file) || !candidates.has(file)) this.#facts.delete(file);
    }
  }

  #readModule(file: string, context: ProgramContext): void {
    const source = context.compilation.program.getSourceFile(file);
    const module = this.#paths.moduleOf(file);
    if (source === undefined || module === null) return;
    this.#facts.set(file, readModule(new ModuleContext(context, source, module)));
  }

  #createContext(program: ts.Program, core: string): ProgramContext | undefined {
    const file = program.getSourceFile(core);
    const symbols = file === undefined ? undefined : readCoreSymbols(file, program.getTypeChecker());
    if (symbols === undefined) return undefined;
    const compilation = new Compilation(program, symbols, this.#paths);
    return {
      compilation,
      heritage: new Heritage(compilation),
      endpointCalls: new DecoratorCalls(compilation, symbols.commandEndpoint),
      perspectiveCalls: new DecoratorCalls(compilation, symbols.perspectiveDecorator),
      recurringCalls: new DecoratorCalls(compilation, symbols.recurring),
      storedAsCalls: new DecoratorCalls(compilation, symbols.storedAs),
      snapshotCalls: new DecoratorCalls(compilation, symbols.snapshotDecorator),
      reactionCalls: new DecoratorCalls(compilation, symbols.reactionDecorator),
      processCalls: new DecoratorCalls(compilation, symbols.processDecorator),
      types: new TypeConverter(compilation, this.#knownTypes()),
    };
  }

  /** The types that unchanged modules refer to. They have not changed either. */
  #knownTypes(): Map<string, TypeDraft> {
    const known = new Map<string, TypeDraft>();
    for (const { types } of this.#facts.values()) for (const [id, draft] of types) known.set(id, draft);
    return known;
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
