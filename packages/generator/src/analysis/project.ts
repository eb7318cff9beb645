import { relative } from 'node:path';

/** The configuration of a service's sources. All paths are absolute. */
export interface Project {
  readonly directory: string;
  readonly tsconfig: string;
  /** Below `directory`: the root of the messages. */
  readonly sourceRoot: string;
  /** First part of every message's type name. */
  readonly namespace: string;
  /** The file of the typed client; null: none is generated. */
  readonly client: string | null;
  /** The GraphQL documents of callers; null: none are read. */
  readonly documents: ProjectDocuments | null;
}

/** Where GraphQL documents are, and where their types go. */
export interface ProjectDocuments {
  readonly folders: readonly string[];
  /** The file of the typed documents, next to the client. */
  readonly file: string;
}

/** Names of files as the compiler, the model and diagnostics use them. */
export class ProjectPaths {
  readonly directory: string;
  readonly sourceRoot: string;
  readonly #sourceRoot: string;

  constructor(project: Project) {
    this.directory = withSlashes(project.directory);
    this.sourceRoot = withSlashes(project.sourceRoot);
    this.#sourceRoot = `${this.sourceRoot}/`;
  }

  /** `orders/create-order` for a file below the source root; null for any other. */
  moduleOf(fileName: string): string | null {
    if (!fileName.startsWith(this.#sourceRoot)) return null;
    return withoutExtension(fileName.slice(this.#sourceRoot.length));
  }

  isBelowSourceRoot(fileName: string): boolean {
    return fileName.startsWith(this.#sourceRoot);
  }

  /** Generated files are never read, even if they exist. */
  isGenerated(fileName: string): boolean {
    if (!fileName.startsWith(this.#sourceRoot) || !fileName.endsWith('.ts')) return false;
    const folder = fileName.slice(this.#sourceRoot.length - 1, fileName.lastIndexOf('/'));
    return folder.endsWith('/generated');
  }

  /** The path in diagnostics: relative to the project's directory. */
  shown(fileName: string): string {
    return fileName.startsWith(`${this.directory}/`)
      ? fileName.slice(this.directory.length + 1)
      : withSlashes(relative(this.directory, fileName));
  }
}

export function withSlashes(path: string): string {
  return path.replaceAll('\\', '/');
}

export function withoutExtension(path: string): string {
  return path.replace(/(?:\.d)?\.[cm]?tsx?$/, '');
}
