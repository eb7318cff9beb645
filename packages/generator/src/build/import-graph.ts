import { ts } from '../analysis/compiler.js';

/** Which sources of a project import which. Only changed sources are read again. */
export class ImportGraph {
  readonly #imports = new WeakMap<ts.SourceFile, ReadonlySet<string>>();

  /** The given files and all that import them, directly or through others. */
  withImporters(files: Iterable<string>, sources: readonly ts.SourceFile[], options: ts.CompilerOptions): Set<string> {
    const importers = new Map<string, string[]>();
    for (const source of sources) {
      for (const target of this.#importsOf(source, options)) {
        const known = importers.get(target);
        if (known === undefined) importers.set(target, [source.fileName]);
        else known.push(source.fileName);
      }
    }
    const found = new Set(files);
    // A set can grow while it is iterated.
    for (const file of found) for (const importer of importers.get(file) ?? []) found.add(importer);
    return found;
  }

  #importsOf(source: ts.SourceFile, options: ts.CompilerOptions): ReadonlySet<string> {
    let imports = this.#imports.get(source);
    if (imports === undefined) {
      const { importedFiles } = ts.preProcessFile(source.text, true, true);
      const targets = importedFiles.map(({ fileName }) => {
        const mode = source.impliedNodeFormat;
        return ts.resolveModuleName(fileName, source.fileName, options, ts.sys, undefined, undefined, mode)
          .resolvedModule;
      });
      imports = new Set(
        targets.flatMap((target) =>
          target === undefined || target.isExternalLibraryImport === true ? [] : [target.resolvedFileName],
        ),
      );
      this.#imports.set(source, imports);
    }
    return imports;
  }
}
