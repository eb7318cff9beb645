/** Which tests reach which mutants. Recorded once without a mutant, and stored until a source or the test file changes. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesOf } from './files.mjs';

/** A test file that takes longer is left out. */
export const slowMs = 30_000;
/** How many states of the sources are stored. */
const mostVersions = 4;

export class CoverageMap {
  #root;
  #folder;
  #recorded = new Map();

  /** `variant`: what else decides which tests pass, such as a database. */
  constructor(root, sources, variant) {
    this.#root = root;
    const all = join(root, '.cache', 'mutation');
    const version = versionOf(root, sources, variant);
    this.#folder = join(all, version);
    mkdirSync(this.#folder, { recursive: true });
    removeOldest(all);
  }

  /** The test files for which nothing is recorded yet. */
  missing(files) {
    return files.filter((file) => this.#find(file) === null);
  }

  /** Stores what a run of a test file has recorded. A file that failed as a whole runs again next time. */
  add(file, result) {
    const entry = entryOf(result);
    this.#recorded.set(file, entry);
    if (entry.isBroken !== true) writeFileSync(this.#pathOf(file), JSON.stringify(entry));
  }

  /** The test files that can judge mutants, and those that are left out, with the reason. */
  read(files) {
    const all = files.map((file) => ({ file, ...this.#find(file) }));
    const isUsable = (entry) => entry.reason === undefined;
    return { entries: all.filter(isUsable), excluded: all.filter((entry) => !isUsable(entry)) };
  }

  #find(file) {
    const recorded = this.#recorded.get(file);
    if (recorded !== undefined) return recorded;
    const path = this.#pathOf(file);
    return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;
  }

  #pathOf(file) {
    const content = readFileSync(join(this.#root, file));
    return join(this.#folder, `${hashOf([file, content])}.json`);
  }
}

function removeOldest(folder) {
  const found = readdirSync(folder).map((name) => ({
    path: join(folder, name),
    at: statSync(join(folder, name)).mtimeMs,
  }));
  for (const { path } of found.toSorted((a, b) => b.at - a.at).slice(mostVersions))
    rmSync(path, { recursive: true, force: true });
}

/** No test of a file can be used. */
export function isBroken({ failures, passed }) {
  return failures.length > 0 && (passed === 0 || failures.some(({ name }) => name === ''));
}

function entryOf({ ms, isTimeout, failures, passed, reached }) {
  if (isTimeout) return { reason: `takes more than ${slowMs / 1_000} s` };
  if (isBroken({ failures, passed })) return { isBroken: true, reason: `fails without a mutant: ${failures[0].error}` };
  return { ms: Math.round(ms), ignored: failures.map(({ name }) => name), ...reached };
}

/** Changes with the mutated sources, the operators, and what tests share. */
function versionOf(root, sources, variant) {
  const shared = ['packages', 'tests', 'tools/mutation']
    .flatMap((folder) => filesOf(root, folder))
    .filter(
      (file) => /\.m?ts$|^tools\/mutation\/.*\.mjs$/.test(file) && !/node_modules|\/dist\/|\.test\.ts$/.test(file),
    );
  const contents = shared.map((file) => readFileSync(join(root, file)));
  return hashOf([variant, ...sources.flatMap(({ file, code }) => [file, code]), ...shared, ...contents]);
}

function hashOf(parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex').slice(0, 24);
}
