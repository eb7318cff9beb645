import type { FileScan, ModuleLink } from './file-scan.js';

/** The targets of a file's imports and exports. */
export interface LinkedFile {
  readonly scan: FileScan;
  /** Where each specifier leads; null if it cannot be resolved. */
  readonly targets: ReadonlyMap<string, string | null>;
}

/**
 * Which files depend on which. An import by name through a re-exporting file depends on that file's own text and on the declaring file,
 * but not on the other re-exports.
 */
export class Dependencies {
  /** From a file to those that must be read again when it, or one of its dependencies, changes. */
  readonly #deep = new Map<string, Set<string>>();
  /** From a file to those that must be read again when its own text changes. */
  readonly #shallow = new Map<string, Set<string>>();
  readonly #files: ReadonlyMap<string, LinkedFile>;

  constructor(files: ReadonlyMap<string, LinkedFile>) {
    this.#files = files;
    for (const [name, file] of files) this.#addFile(name, file);
  }

  /** The changed files and all that depend on them. */
  affectedBy(changed: Iterable<string>): ReadonlySet<string> {
    const affected = new Set(changed);
    for (const file of new Set(affected)) for (const user of this.#shallow.get(file) ?? []) affected.add(user);
    // Iterating a Set also visits members added on the way.
    for (const file of affected) for (const user of this.#deep.get(file) ?? []) affected.add(user);
    return affected;
  }

  #addFile(name: string, { scan, targets }: LinkedFile): void {
    const linked = new Set<string>();
    for (const link of scan.links) {
      linked.add(link.specifier);
      const target = targets.get(link.specifier);
      if (target !== undefined && target !== null) this.#addLink(name, link, target);
    }
    // Other forms of import, such as import('./x').T, are not followed.
    for (const [specifier, target] of targets) {
      if (target !== null && !linked.has(specifier)) addTo(this.#deep, target, name);
    }
  }

  #addLink(user: string, { names }: ModuleLink, target: string): void {
    if (names === 'all') addTo(this.#deep, target, user);
    else for (const { from } of names) this.#addName(user, from, target, new Set());
  }

  /** `user` imports `name` from `file`, which declares or re-exports it. */
  #addName(user: string, name: string, file: string, seen: Set<string>): void {
    if (seen.has(file)) return;
    seen.add(file);
    const linked = this.#files.get(file);
    if (linked === undefined) return;
    const sources = handedOn(name, linked);
    if (sources === null) {
      addTo(this.#deep, file, user);
      return;
    }
    addTo(this.#shallow, file, user);
    for (const source of sources) this.#addName(user, source.name, source.file, seen);
  }
}

/** The origin of an exported name; null if the file declares it, or if that is uncertain. */
function handedOn(name: string, { scan, targets }: LinkedFile): { name: string; file: string }[] | null {
  if (!scan.onlyHandsOn) return null;
  const found: { name: string; file: string }[] = [];
  for (const { specifier, names, exports } of scan.links) {
    const file = targets.get(specifier);
    if (file === undefined || file === null) return null;
    if (exports === 'star') found.push({ name, file });
    else if (names === 'all') return null;
    else {
      const named = names.find(({ to }) => to === name);
      if (named !== undefined) return [{ name: named.from, file }];
    }
  }
  return found.length === 0 ? null : found;
}

function addTo(map: Map<string, Set<string>>, key: string, value: string): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, new Set([value]));
  else known.add(value);
}
