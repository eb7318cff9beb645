import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const programs = {
  svc: 'packages/cli/bin/svc.js',
  tsc: 'node_modules/typescript/lib/tsc.js',
  vitest: 'node_modules/vitest/vitest.mjs',
} as const;

/** A service of `svc new` below the repository, so that its packages are found without an installation. */
export class CreatedProject {
  readonly folder: string;
  readonly #parent: string;

  constructor(flags: readonly string[]) {
    mkdirSync(join(root, '.cache'), { recursive: true });
    this.#parent = mkdtempSync(join(root, '.cache', 'created-'));
    this.folder = join(this.#parent, 'library');
    run(programs.svc, ['new', this.folder, ...flags], root);
  }

  /** Runs a program of its scripts; returns what it prints, throws if it fails. */
  run(program: keyof typeof programs, ...args: readonly string[]): string {
    return run(programs[program], args, this.folder);
  }

  remove(): void {
    rmSync(this.#parent, { recursive: true, force: true });
  }
}

function run(program: string, args: readonly string[], cwd: string): string {
  // Without the variables of the runner of this test, which would collect the results of that one.
  const env = { PATH: process.env['PATH'], NO_COLOR: '1' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, program), ...args], {
    cwd,
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}.\n${stdout}\n${stderr}`);
  return stdout;
}
