import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A service in a folder of its own, below the repository so that its packages are found. */
export class TemporaryProject {
  readonly directory: string;

  constructor(files: Readonly<Record<string, string>> = {}, folder = 'project-') {
    mkdirSync(join(root, '.cache'), { recursive: true });
    this.directory = mkdtempSync(join(root, '.cache', folder));
    this.write('package.json', JSON.stringify({ name: '@test/shop', type: 'module' }));
    this.write('tsconfig.json', JSON.stringify({ extends: join(root, 'tsconfig.base.json'), include: ['src'] }));
    for (const [path, text] of Object.entries(files)) this.write(path, text);
  }

  /** The reference service, without what was generated for it, and without the script of its page, which is a project of its own. */
  static ofExample(folder: string): TemporaryProject {
    const project = new TemporaryProject({}, folder);
    const example = join(root, 'examples/orders');
    cpSync(join(example, 'package.json'), join(project.directory, 'package.json'));
    cpSync(join(example, 'src'), join(project.directory, 'src'), {
      recursive: true,
      filter: (path) => !/\/(?:generated|browser)(?:\/|$)/.test(path.slice(example.length)),
    });
    return project;
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.directory, path)), { recursive: true });
    writeFileSync(join(this.directory, path), text);
  }

  read(path: string): string {
    return readFileSync(join(this.directory, path), 'utf8');
  }

  generated(): Record<string, string> {
    return generatedFiles(join(this.directory, 'src'));
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** Everything in `generated` folders below a source root, by path. */
export function generatedFiles(sourceRoot: string): Record<string, string> {
  const files = readdirSync(sourceRoot, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.parentPath.endsWith('/generated'))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  return Object.fromEntries(files.map((file) => [relative(sourceRoot, file), readFileSync(file, 'utf8')]));
}

export const exampleSources = join(root, 'examples/orders/src');
