import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { graphQLCalls, type GraphQLCall } from '../analysis/index.js';

/** A text with GraphQL in a source of the caller. */
export interface FoundText {
  /** The absolute path of its file. */
  readonly file: string;
  /** Whether it is the argument of a call of `graphql`, and not a file. */
  readonly isCall: boolean;
  /** The text and its place. */
  readonly call: GraphQLCall;
}

const scripts: ReadonlySet<string> = new Set(['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs']);
const documents: ReadonlySet<string> = new Set(['.graphql', '.gql']);

/** Whether a file can contain GraphQL that svc reads. */
export function mayHaveDocuments(file: string): boolean {
  const extension = extname(file);
  return scripts.has(extension) || documents.has(extension);
}

interface ReadFile {
  readonly stamp: string;
  readonly found: readonly FoundText[];
}

/** Finds GraphQL below folders repeatedly. Reads only files that have changed. */
export class DocumentFiles {
  readonly #folders: readonly string[];
  readonly #module: string;
  readonly #own: string;
  #files: ReadonlyMap<string, ReadFile> = new Map();

  /**
   * @param module the name of the module that exports `graphql`
   * @param own its file, which is generated
   */
  constructor(folders: readonly string[], module: string, own: string) {
    this.#folders = folders;
    this.#module = module;
    this.#own = own;
  }

  /** In the order of their paths, and of their places in a file. */
  read(): FoundText[] {
    const paths = new Set(this.#folders.flatMap((folder) => filesBelow(folder)));
    const files = new Map<string, ReadFile>();
    for (const path of [...paths].toSorted()) {
      const file = path === this.#own ? null : this.#file(path);
      if (file !== null) files.set(path, file);
    }
    this.#files = files;
    return [...files.values()].flatMap(({ found }) => found);
  }

  /** Null if it has been removed since it was listed. */
  #file(path: string): ReadFile | null {
    const now = statSync(path, { throwIfNoEntry: false });
    if (now === undefined) return null;
    const stamp = `${now.mtimeMs} ${now.size}`;
    const known = this.#files.get(path);
    return known?.stamp === stamp ? known : { stamp, found: textsIn(path, this.#module) };
  }
}

function textsIn(file: string, module: string): FoundText[] {
  const text = readFileSync(file, 'utf8');
  if (documents.has(extname(file))) return [{ file, isCall: false, call: { text, line: 1, column: 1 } }];
  return graphQLCalls(file, text, module).map((call) => ({ file, isCall: true, call }));
}

/** Not those of packages, nor of folders that tools hide. */
function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' || entry.name.startsWith('.') ? [] : filesBelow(path);
    return entry.isFile() && mayHaveDocuments(entry.name) ? [path] : [];
  });
}
