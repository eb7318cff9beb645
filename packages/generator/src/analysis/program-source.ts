import { ts } from './compiler.js';
import { isImportNeeded } from './package-imports.js';
import type { ProjectPaths } from './project.js';
import type { SourceStore } from './source-store.js';

/** Creates programs, each from the previous one. */
export class ProgramSource {
  readonly #paths: ProjectPaths;
  readonly #options: ts.CompilerOptions;
  readonly #store: SourceStore;
  readonly #cache: ts.ModuleResolutionCache;
  readonly #host: ts.CompilerHost;
  /** Per file, the targets of its imports. */
  readonly #resolutions = new Map<string, ReadonlyMap<string, string | null>>();
  /** The file's text for which the resolutions hold. */
  readonly #resolvedFrom = new Map<string, ts.SourceFile>();
  readonly #files = new Map<string, boolean>();
  readonly #directories = new Map<string, boolean>();
  readonly #moved = new Set<string>();
  #program: ts.Program | undefined;

  constructor(paths: ProjectPaths, options: ts.CompilerOptions, store: SourceStore, cache: ts.ModuleResolutionCache) {
    this.#paths = paths;
    this.#options = options;
    this.#store = store;
    this.#cache = cache;
    this.#host = this.#createHost();
  }

  /** The next program, and the files whose imports now resolve differently, even if their text is unchanged. */
  next(roots: readonly string[]): { program: ts.Program; moved: ReadonlySet<string> } {
    this.#moved.clear();
    const old = this.#program;
    const program = ts.createProgram({
      rootNames: roots,
      options: this.#options,
      host: this.#host,
      ...(old === undefined ? {} : { oldProgram: old }),
    });
    this.#program = program;
    for (const file of this.#resolutions.keys()) {
      if (program.getSourceFile(file) !== undefined) continue;
      this.#resolutions.delete(file);
      this.#resolvedFrom.delete(file);
    }
    return { program, moved: this.#moved };
  }

  /** Files were added or removed: resolve imports again. */
  forgetResolutions(): void {
    this.#cache.clear();
    this.#files.clear();
    this.#directories.clear();
    this.#program = undefined;
  }

  resolutionsOf(fileName: string): ReadonlyMap<string, string | null> {
    return this.#resolutions.get(fileName) ?? new Map();
  }

  /** Whether an import of the project's own files could not be resolved: a later run may find it. */
  get hasUnresolvedImports(): boolean {
    return [...this.#resolutions].some(
      ([file, targets]) => this.#paths.isBelowSourceRoot(file) && [...targets.values()].includes(null),
    );
  }

  /** The file to which a package name resolves from the project's sources. */
  resolvePackage(name: string): string | undefined {
    const from = `${this.#paths.sourceRoot}/index.ts`;
    const mode = ts.ModuleKind.ESNext;
    return ts.resolveModuleName(name, from, this.#options, this.#host, this.#cache, undefined, mode).resolvedModule
      ?.resolvedFileName;
  }

  #createHost(): ts.CompilerHost {
    const library = ts.getDefaultLibFilePath(this.#options);
    const folder = library.slice(0, library.lastIndexOf('/') + 1);
    return {
      fileExists: (file) => this.#fileExists(file),
      readFile: (file) => ts.sys.readFile(file),
      directoryExists: (path) => this.#directoryExists(path),
      realpath: (path) => ts.sys.realpath?.(path) ?? path,
      getSourceFile: (file) => this.#store.get(file),
      getDefaultLibFileName: (options) => folder + ts.getDefaultLibFileName(options),
      getDefaultLibLocation: () => folder,
      getCurrentDirectory: () => this.#paths.directory,
      getCanonicalFileName: (file) => (ts.sys.useCaseSensitiveFileNames ? file : file.toLowerCase()),
      useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
      getNewLine: () => '\n',
      writeFile: () => {},
      getModuleResolutionCache: () => this.#cache,
      resolveModuleNameLiterals: (literals, file, redirect, options, source) =>
        this.#resolve(literals, file, redirect, options, source),
    };
  }

  #isIrrelevant(specifier: string, source: ts.SourceFile): boolean {
    if (!isForeign(specifier) || !this.#paths.isBelowSourceRoot(source.fileName)) return false;
    return specifier.startsWith('node:') || !isImportNeeded(source, specifier);
  }

  #fileExists(file: string): boolean {
    // A generated module can be imported before it exists.
    if (this.#paths.isGenerated(file)) return true;
    return this.#store.has(file) || remembered(this.#files, file, (path) => ts.sys.fileExists(path));
  }

  #directoryExists(directory: string): boolean {
    if (this.#paths.isGenerated(`${directory}/x.ts`)) return true;
    return remembered(this.#directories, directory, (path) => ts.sys.directoryExists(path));
  }

  #resolve(
    literals: readonly ts.StringLiteralLike[],
    file: string,
    redirect: ts.ResolvedProjectReference | undefined,
    options: ts.CompilerOptions,
    source: ts.SourceFile,
  ): readonly ts.ResolvedModuleWithFailedLookupLocations[] {
    const resolved = literals.map((literal) => {
      if (this.#isIrrelevant(literal.text, source)) return { resolvedModule: undefined };
      const mode = ts.getModeForUsageLocation(source, literal, options);
      return ts.resolveModuleName(literal.text, file, options, this.#host, this.#cache, redirect, mode);
    });
    const targets = new Map(
      literals.flatMap(({ text }, i) =>
        this.#isIrrelevant(text, source) ? [] : [[text, resolved[i]?.resolvedModule?.resolvedFileName ?? null]],
      ),
    );
    const before = this.#resolutions.get(file);
    // For a known file, the compiler asks again only for unresolved imports.
    const isSame = this.#resolvedFrom.get(file) === source;
    const now = isSame && before !== undefined ? new Map([...before, ...targets]) : targets;
    if (before !== undefined && !sameTargets(before, now)) this.#moved.add(file);
    this.#resolutions.set(file, now);
    this.#resolvedFrom.set(file, source);
    return resolved;
  }
}

function remembered(known: Map<string, boolean>, path: string, look: (path: string) => boolean): boolean {
  let exists = known.get(path);
  if (exists === undefined) {
    exists = look(path);
    known.set(path, exists);
  }
  return exists;
}

/** A third-party package, or Node itself. */
function isForeign(specifier: string): boolean {
  return !/^(?:\.|#|@svc\/)/.test(specifier);
}

function sameTargets(a: ReadonlyMap<string, string | null>, b: ReadonlyMap<string, string | null>): boolean {
  return a.size === b.size && [...a].every(([specifier, target]) => b.get(specifier) === target);
}
