import { ts } from './compiler.js';
import { resolveAlias, type CoreSymbols } from './core-symbols.js';
import { locationOf, type Location } from './locations.js';
import { withoutExtension, type ProjectPaths } from './project.js';

/** A program with its checker, and the queries that the whole analysis uses. */
export class Compilation {
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  readonly core: CoreSymbols;
  readonly paths: ProjectPaths;
  readonly #symbols = new Map<ts.Node, ts.Symbol | undefined>();
  readonly #packages = new Map<string, { name: string; folder: string } | null>();
  readonly #exports = new Map<ts.Symbol, ReadonlyMap<ts.Symbol, string>>();

  constructor(program: ts.Program, core: CoreSymbols, paths: ProjectPaths) {
    this.program = program;
    this.checker = program.getTypeChecker();
    this.core = core;
    this.paths = paths;
  }

  /** The class, interface or function that an expression names, wherever it was imported from. */
  symbolAt(node: ts.Node): ts.Symbol | undefined {
    if (this.#symbols.has(node)) return this.#symbols.get(node);
    const symbol = this.checker.getSymbolAtLocation(node);
    const resolved = symbol === undefined ? undefined : resolveAlias(symbol, this.checker);
    this.#symbols.set(node, resolved);
    return resolved;
  }

  /** The symbol of a class, also of one exported as default and of a class expression. */
  symbolOfClass(node: ts.ClassLikeDeclaration): ts.Symbol {
    const symbol = node.name === undefined ? undefined : this.checker.getSymbolAtLocation(node.name);
    return symbol ?? this.checker.getTypeAtLocation(node).symbol;
  }

  /** Whether it is declared by the language itself: `Date`, `Map`, `Partial`. */
  isBuiltIn(symbol: ts.Symbol): boolean {
    const declaration = symbol.declarations?.[0];
    return declaration !== undefined && this.program.isSourceFileDefaultLibrary(declaration.getSourceFile());
  }

  locationOf(node: ts.Node): Location {
    return locationOf(node, this.paths);
  }

  /** The module that declares a symbol; null if that is a package. */
  moduleOf(symbol: ts.Symbol): string | null {
    const file = symbol.declarations?.[0]?.getSourceFile().fileName;
    return file === undefined ? null : this.paths.moduleOf(file);
  }

  /** Where a symbol is declared, as a name that is the same on every machine: the module, or the package and the file in it. */
  placeOf(symbol: ts.Symbol): string {
    const file = symbol.declarations?.[0]?.getSourceFile().fileName;
    if (file === undefined) return '';
    const module = this.paths.moduleOf(file);
    if (module !== null) return module;
    const owner = this.#packageOf(file.slice(0, file.lastIndexOf('/')));
    if (owner === null) return withoutExtension(this.paths.shown(file));
    return `${owner.name}${withoutExtension(file.slice(owner.folder.length))}`;
  }

  /** The name under which a symbol's module exports it; null if it does not, as for members of a namespace. */
  exportNameOf(symbol: ts.Symbol): string | null {
    const source = symbol.declarations?.[0]?.getSourceFile();
    const module = source === undefined ? undefined : this.checker.getSymbolAtLocation(source);
    if (module === undefined) return null;
    const isExported = module.exports?.get(symbol.escapedName) === symbol;
    if (isExported && symbol.name !== 'default') return symbol.name;
    return this.#exportsOf(module).get(symbol) ?? null;
  }

  /** The name under which `@svc/core` exports a symbol; null if it does not. */
  coreNameOf(symbol: ts.Symbol): string | null {
    return this.#exportsOf(this.core.module).get(symbol) ?? null;
  }

  #exportsOf(module: ts.Symbol): ReadonlyMap<ts.Symbol, string> {
    let names = this.#exports.get(module);
    if (names === undefined) {
      const found = new Map<ts.Symbol, string>();
      for (const exported of this.checker.getExportsOfModule(module)) {
        const target = resolveAlias(exported, this.checker);
        // If it is exported twice, prefer its own name.
        if (exported.name !== 'default' && (!found.has(target) || exported.name === target.name)) {
          found.set(target, exported.name);
        }
      }
      names = found;
      this.#exports.set(module, names);
    }
    return names;
  }

  #packageOf(folder: string): { name: string; folder: string } | null {
    let found = this.#packages.get(folder);
    if (found === undefined) {
      const text = ts.sys.readFile(`${folder}/package.json`);
      const manifest = ts.parseConfigFileTextToJson('package.json', text ?? '').config as
        | { name?: unknown }
        | undefined;
      const parent = folder.slice(0, folder.lastIndexOf('/'));
      if (typeof manifest?.name === 'string') found = { name: manifest.name, folder };
      else found = parent === '' ? null : this.#packageOf(parent);
      this.#packages.set(folder, found);
    }
    return found;
  }
}
