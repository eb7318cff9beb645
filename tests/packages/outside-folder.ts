/** A folder outside of this checkout, in which npm finds the packages of this checkout in the private registry and nowhere else. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { isInside, outputOf, outsideEnvironment, root } from './outside-commands.js';
import { privateRegistry } from './private-registry.js';

export class OutsideFolder {
  readonly directory: string;
  readonly env: NodeJS.ProcessEnv;

  /** With the packages of this checkout. */
  static async create(files: Readonly<Record<string, string>> = {}): Promise<OutsideFolder> {
    const { npmrc } = await privateRegistry();
    return new OutsideFolder(npmrc, files);
  }

  /** `npmrc`: the settings of npm. */
  constructor(npmrc: string, files: Readonly<Record<string, string>>) {
    this.directory = realpathSync(mkdtempSync(join(tmpdir(), 'svc-outside-')));
    if (isInside(root, this.directory)) throw new Error(`${this.directory} is inside of the checkout. Set TMPDIR.`);
    this.env = outsideEnvironment(npmrc);
    for (const [path, text] of Object.entries(files)) this.write(path, text);
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.directory, path)), { recursive: true });
    writeFileSync(join(this.directory, path), text);
  }

  read(path: string): string {
    return readFileSync(join(this.directory, path), 'utf8');
  }

  /** Runs a shell command, and returns what it prints. If it fails, the error has everything that it printed. */
  async run(command: string, folder = '.'): Promise<string> {
    return await outputOf('sh', ['-e', '-c', command], { cwd: join(this.directory, folder), env: this.env });
  }

  /** Everything by which a program in this folder could load a file of the checkout: links that leave the folder, and paths in svc files. */
  waysToCheckout(folder = '.'): readonly string[] {
    const found: string[] = [];
    const entries = readdirSync(join(this.directory, folder), { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isSymbolicLink()) {
        if (!isInside(this.directory, realpathSync(path))) found.push(`${path} -> ${realpathSync(path)}`);
      } else if (entry.isFile() && (isOurs(path) || !path.includes(`${sep}node_modules${sep}`))) {
        if (readFileSync(path, 'utf8').includes(root)) found.push(`${path} contains ${root}`);
      }
    }
    return found;
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

function isOurs(path: string): boolean {
  return path.includes(`${sep}node_modules${sep}@svc${sep}`);
}
