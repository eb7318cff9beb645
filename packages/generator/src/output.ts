import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { header } from './emit/index.js';

/** The differences between the generated files on disk and the expected ones. Paths are relative to the source root, with `/`. */
export interface Drift {
  readonly missing: readonly string[];
  readonly different: readonly string[];
  /** No longer generated. */
  readonly stale: readonly string[];
}

/** The generated files of one source root, and those for callers. They are read once; from then on only `apply` changes them. */
export class Output {
  readonly #root: string;
  readonly #others: readonly string[];
  #onDisk: Map<string, string> | undefined;

  /** @param others files for callers, such as the client, which can be anywhere */
  constructor(sourceRoot: string, others: readonly string[]) {
    this.#root = sourceRoot;
    this.#others = others;
  }

  /** A file that svc would replace although it has not written it; undefined if there is none. */
  get foreign(): string | undefined {
    return this.#others.find((file) => existsSync(file) && !readFileSync(file, 'utf8').startsWith(header));
  }

  compare(files: ReadonlyMap<string, string>): Drift {
    const onDisk = (this.#onDisk ??= this.#read());
    return {
      missing: [...files.keys()].filter((path) => !onDisk.has(path)),
      different: [...files]
        .filter(([path, text]) => onDisk.has(path) && onDisk.get(path) !== text)
        .map(([path]) => path),
      stale: [...onDisk.keys()].filter((path) => !files.has(path)).toSorted(),
    };
  }

  apply(files: ReadonlyMap<string, string>, drift: Drift): void {
    const folders = new Set(drift.missing.map((path) => dirname(join(this.#root, path))));
    for (const folder of folders) mkdirSync(folder, { recursive: true });
    for (const path of [...drift.missing, ...drift.different]) {
      writeFileSync(join(this.#root, path), files.get(path)!);
      this.#onDisk?.set(path, files.get(path)!);
    }
    for (const path of drift.stale) {
      rmSync(join(this.#root, path));
      this.#onDisk?.delete(path);
    }
  }

  /** The path of a generated file: relative to the source root. */
  pathOf(file: string): string {
    return relative(this.#root, file).split(sep).join('/');
  }

  /** Every file in a `generated` folder with the header of svc. Other files are left alone. */
  #read(): Map<string, string> {
    const found = new Map<string, string>();
    for (const entry of readdirSync(this.#root, { recursive: true, withFileTypes: true })) {
      const folder = entry.parentPath;
      if (!entry.isFile() || !entry.name.endsWith('.ts') || !folder.endsWith(`${sep}generated`)) continue;
      const path = join(folder, entry.name);
      const text = readFileSync(path, 'utf8');
      if (text.startsWith(header)) found.set(this.pathOf(path), text);
    }
    for (const file of this.#others) {
      if (existsSync(file)) found.set(this.pathOf(file), readFileSync(file, 'utf8'));
    }
    return found;
  }
}
