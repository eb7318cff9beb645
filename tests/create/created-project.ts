import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '@svc/cli';

const root = fileURLToPath(new URL('../..', import.meta.url));
const programs = { tsc: 'typescript/lib/tsc.js', vitest: 'vitest/vitest.mjs' } as const;

/** A service of `svc new` below the repository, so that its packages are found without an installation. */
export class CreatedProject {
  readonly folder: string;
  readonly #parent: string;

  private constructor() {
    mkdirSync(join(root, '.cache'), { recursive: true });
    this.#parent = mkdtempSync(join(root, '.cache', 'created-'));
    this.folder = join(this.#parent, 'library');
  }

  static async create(flags: readonly string[]): Promise<CreatedProject> {
    const project = new CreatedProject();
    await svc(['new', project.folder, ...flags]);
    return project;
  }

  /** Runs `svc` on it; returns what it prints, throws if it fails. */
  svc(...args: readonly string[]): Promise<string> {
    return svc([...args, '--project', this.folder]);
  }

  /** Runs a program of its scripts; returns what it prints, throws if it fails. */
  run(program: keyof typeof programs, ...args: readonly string[]): string {
    // Without the variables of the runner of this test, which would collect the results of that one.
    const env = { PATH: process.env['PATH'], NO_COLOR: '1' };
    const file = join(root, 'node_modules', programs[program]);
    const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], {
      cwd: this.folder,
      env,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}.\n${stdout}\n${stderr}`);
    return stdout;
  }

  remove(): void {
    rmSync(this.#parent, { recursive: true, force: true });
  }
}

async function svc(args: readonly string[]): Promise<string> {
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);
  const code = await run(args, { out: print, error: print });
  if (code !== 0) throw new Error(`svc ended with ${code}.\n${lines.join('\n')}`);
  return lines.join('\n');
}
