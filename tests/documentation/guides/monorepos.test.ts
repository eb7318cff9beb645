/** The workspace of docs/guides/monorepos.md: generated, built, and tested by its own test. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '@svc/cli';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TemporaryProject } from '../../generator/temporary-project.js';
import { Guide } from './guide.js';

interface Manifest {
  readonly name: string;
  readonly scripts: Readonly<Record<string, string>>;
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
const { files } = new Guide('monorepos.md');
const { workspaces } = JSON.parse(files['package.json']!) as { readonly workspaces: readonly string[] };
const project = new TemporaryProject({}, 'monorepo-');
const manifestOf = (folder: string): Manifest => JSON.parse(files[`${folder}/package.json`]!) as Manifest;

/** Runs a script of a package as npm would, with the command and the compiler of this repository. */
async function runScript(folder: string, script: string): Promise<string> {
  const printed: string[] = [];
  const terminal = { out: (line: string) => void printed.push(line), error: (line: string) => void printed.push(line) };
  const cwd = join(project.directory, folder);
  for (const command of manifestOf(folder).scripts[script]!.split(' && ')) {
    const [program, ...args] = command.split(' ');
    if (program === 'svc') {
      const code = await run([...args, '--project', cwd], terminal);
      if (code !== 0) throw new Error(printed.join('\n'));
    } else runNode([join(root, 'node_modules/typescript/bin/tsc'), ...args], cwd);
  }
  return printed.join('\n');
}

function runNode(args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });
  if (status !== 0) throw new Error(stdout + stderr);
  return stdout;
}

beforeAll(async () => {
  rmSync(join(project.directory, 'tsconfig.json'));
  for (const [path, text] of Object.entries(files)) project.write(path, text);
  // As npm links the packages of a workspace.
  for (const folder of workspaces) {
    const link = join(project.directory, 'node_modules', manifestOf(folder).name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(project.directory, folder), link);
  }
  for (const folder of workspaces) await runScript(folder, 'build');
}, 120_000);
afterAll(() => project.remove());

describe('docs/guides/monorepos.md', () => {
  it('has generated code that is up to date in every package', async () => {
    for (const folder of workspaces) expect(await runScript(folder, 'check')).toContain('up to date');
  });

  it('has a test that passes with both services', () => {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    expect(runNode([vitest, 'run'], project.directory)).toMatch(/Tests +1 passed/);
  }, 60_000);
});
