import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Analysis } from '../program-analyzer.js';
import { ProgramAnalyzer } from '../program-analyzer.js';
import type { Project } from '../project.js';
import { requireInEntry, writeCoreEntry } from './core-entry.js';

export { imports } from './core-entry.js';

/** Below the package, so that `@svc/core` resolves as in any service. */
const folder = fileURLToPath(new URL('../../../.cache/fixtures', import.meta.url));

export const coreSources = { '@svc/core': [writeCoreEntry(folder)] };

const tsconfig = {
  compilerOptions: { target: 'es2022', module: 'nodenext', paths: coreSources },
  include: ['src'],
};

let made = 0;

/** A small service on disk, for tests. */
export class ServiceFixture implements Disposable {
  readonly directory: string;
  readonly project: Project;
  readonly #root: string;
  #analyzer: ProgramAnalyzer | undefined;

  /** `depth`: the number of additional folder levels. */
  constructor(files: Readonly<Record<string, string | Buffer>>, depth = 0) {
    this.#root = join(folder, `service-${process.pid}-${++made}`);
    this.directory = join(this.#root, ...Array.from({ length: depth }, () => 'deeper'));
    this.project = {
      directory: this.directory,
      tsconfig: join(this.directory, 'tsconfig.json'),
      sourceRoot: join(this.directory, 'src'),
      namespace: 'shop',
      client: null,
      documents: null,
    };
    this.write('package.json', JSON.stringify({ name: 'shop', type: 'module' }));
    this.write('tsconfig.json', JSON.stringify(tsconfig));
    for (const [path, text] of Object.entries(files)) this.write(path, text);
  }

  path(path: string): string {
    return join(this.directory, path);
  }

  write(path: string, text: string | Buffer): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    if (typeof text === 'string') requireInEntry(text);
    writeFileSync(this.path(path), text);
  }

  remove(path: string): void {
    rmSync(this.path(path));
  }

  /** Replaces all sources. Faster than a new service, because core is already read. */
  replaceSources(files: Readonly<Record<string, string>>): void {
    rmSync(this.path('src'), { recursive: true, force: true });
    for (const [path, text] of Object.entries(files)) this.write(path, text);
  }

  /** Uses the same analyzer each time. */
  analyze(...changed: readonly string[]): Analysis {
    this.#analyzer ??= new ProgramAnalyzer(this.project);
    return this.#analyzer.analyze(changed.length === 0 ? undefined : new Set(changed.map((path) => this.path(path))));
  }

  /** Uses a new analyzer. */
  analyzeCold(): Analysis {
    return new ProgramAnalyzer(this.project).analyze();
  }

  [Symbol.dispose](): void {
    rmSync(this.#root, { recursive: true, force: true });
  }
}
