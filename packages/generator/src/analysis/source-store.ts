import { readFileSync, statSync } from 'node:fs';
import { moduleIndicatorOf, ts } from './compiler.js';
import type { ProjectPaths } from './project.js';

interface Entry {
  readonly stamp: string;
  readonly text: string;
  readonly file: ts.SourceFile;
}

const placeholder = 'export {};';

/** The standard library never changes, so a second project, or the same one under new options, does not read it again. */
const libraries = new Map<string, ts.SourceFile>();

/** Files of other packages with the text they were parsed from: a second project parses them only when they have changed. */
const dependencies = new Map<string, { readonly text: string; readonly file: ts.SourceFile }>();

/** The parsed files, cached between analyses. Only changed files are read again. */
export class SourceStore {
  readonly #paths: ProjectPaths;
  readonly #options: ts.CompilerOptions;
  readonly #cache: ts.ModuleResolutionCache;
  readonly #libraryFolder: string;
  readonly #isModule: (file: ts.SourceFile) => void;
  readonly #entries = new Map<string, Entry>();
  readonly #formats = new Map<string, ts.ResolutionMode>();
  readonly #generated = new Map<string, ts.SourceFile>();

  constructor(paths: ProjectPaths, options: ts.CompilerOptions, cache: ts.ModuleResolutionCache) {
    this.#paths = paths;
    this.#options = options;
    this.#cache = cache;
    const library = ts.getDefaultLibFilePath(options);
    this.#libraryFolder = library.slice(0, library.lastIndexOf('/') + 1);
    this.#isModule = moduleIndicatorOf(options);
  }

  /** The cached file; undefined if it does not exist. */
  get(fileName: string): ts.SourceFile | undefined {
    const known = this.#entries.get(fileName)?.file;
    if (known !== undefined) return known;
    if (fileName.startsWith(this.#libraryFolder)) return this.#getLibrary(fileName);
    if (this.#paths.isGenerated(fileName)) return this.#getPlaceholder(fileName);
    const entry = this.#read(fileName, undefined);
    if (entry === undefined) return undefined;
    this.#entries.set(fileName, entry);
    return entry.file;
  }

  /** Whether a file is known to exist, because it has been read. */
  has(fileName: string): boolean {
    return this.#entries.has(fileName);
  }

  /** Checks files again (all known ones by default) and returns those that were changed or removed. */
  refresh(touched?: ReadonlySet<string>): Set<string> {
    const changed = new Set<string>();
    for (const fileName of touched ?? [...this.#entries.keys()]) {
      const before = this.#entries.get(fileName);
      if (before === undefined) continue;
      // A file reported as changed is read whatever its timestamp.
      const now = this.#read(fileName, touched === undefined ? before : { ...before, stamp: '' });
      if (now === undefined) this.#entries.delete(fileName);
      else this.#entries.set(fileName, now);
      if (now?.file !== before.file) changed.add(fileName);
    }
    return changed;
  }

  #getLibrary(fileName: string): ts.SourceFile | undefined {
    const key = `${this.#options.target}:${fileName}`;
    let file = libraries.get(key);
    if (file === undefined) {
      const text = readText(fileName);
      if (text === undefined) return undefined;
      // Its doc comments are not needed, and they are half of it.
      file = this.#parse(fileName, text, ts.JSDocParsingMode.ParseNone);
      libraries.set(key, file);
    }
    return file;
  }

  #getPlaceholder(fileName: string): ts.SourceFile {
    let file = this.#generated.get(fileName);
    if (file === undefined) {
      file = this.#parse(fileName, placeholder, ts.JSDocParsingMode.ParseNone);
      this.#generated.set(fileName, file);
    }
    return file;
  }

  #read(fileName: string, before: Entry | undefined): Entry | undefined {
    // The timestamp is read only when a file is checked again: most processes run once.
    const stamp = before === undefined ? '' : stampOf(fileName);
    if (stamp === undefined) return undefined;
    if (stamp !== '' && stamp === before?.stamp) return before;
    const text = readText(fileName);
    if (text === undefined) return undefined;
    if (text === before?.text) return { ...before, stamp };
    return { stamp, text, file: this.#parsed(fileName, text) };
  }

  #parsed(fileName: string, text: string): ts.SourceFile {
    if (fileName.startsWith(`${this.#paths.directory}/`))
      return this.#parse(fileName, text, ts.JSDocParsingMode.ParseAll);
    const { target, module, moduleDetection, jsx } = this.#options;
    const key = [target, module, moduleDetection, jsx, this.#formatOf(fileName), fileName].join(':');
    const known = dependencies.get(key);
    if (known?.text === text) return known.file;
    const file = this.#parse(fileName, text, ts.JSDocParsingMode.ParseAll);
    dependencies.set(key, { text, file });
    return file;
  }

  #parse(fileName: string, text: string, jsDocParsingMode: ts.JSDocParsingMode): ts.SourceFile {
    return ts.createSourceFile(fileName, text, {
      languageVersion: this.#options.target ?? ts.ScriptTarget.Latest,
      impliedNodeFormat: this.#formatOf(fileName),
      setExternalModuleIndicator: this.#isModule,
      jsDocParsingMode,
    });
  }

  /** Whether a file is CommonJS or ESM: by its extension and the nearest package.json. */
  #formatOf(fileName: string): ts.ResolutionMode {
    const key = fileName.slice(0, fileName.lastIndexOf('/')) + fileName.slice(fileName.lastIndexOf('.'));
    if (!this.#formats.has(key)) {
      const packages = this.#cache.getPackageJsonInfoCache();
      this.#formats.set(key, ts.getImpliedNodeFormatForFile(fileName, packages, ts.sys, this.#options));
    }
    return this.#formats.get(key);
  }
}

/** Nearly all sources are UTF-8, which Node reads fastest; the compiler detects other encodings by their byte order marks. */
function readText(fileName: string): string | undefined {
  try {
    const text = readFileSync(fileName, 'utf8');
    return text.startsWith('\uFEFF') || text.startsWith('\uFFFD') ? ts.sys.readFile(fileName) : text;
  } catch {
    return undefined;
  }
}

function stampOf(fileName: string): string | undefined {
  const stats = statSync(fileName, { throwIfNoEntry: false });
  return stats?.isFile() === true ? `${stats.mtimeMs}:${stats.size}:${stats.ino}` : undefined;
}
