import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cliPage } from '../../tools/cli/page.mjs';
import { bin, catalog, svc } from './svc.js';

const entries = await catalog();
const commands = entries.filter((entry) => entry.commands.length === 0);

describe('svc --help', () => {
  it('lists every command', async () => {
    const { code, out } = await svc(['--help']);
    expect(code).toBe(0);
    for (const { path } of entries.filter((entry) => !entry.path.includes(' '))) expect(out).toContain(`  ${path} `);
    expect((await svc(['help'])).out).toBe(out);
  });

  it.each(entries)('is the same as svc help $path, and names the command', async ({ path }) => {
    const { code, out } = await svc([...path.split(' '), '--help']);
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^svc ${path}[ \\n]`));
    expect((await svc(['help', ...path.split(' ')])).out).toBe(out);
  });

  it.each(commands)('shows the options, examples and exit codes of svc $path', async ({ path, options, exitCodes }) => {
    const { out } = await svc([...path.split(' '), '-h']);
    for (const { name } of options) expect(out).toContain(`  --${name}`);
    expect(out).toContain('\nExamples\n');
    const shown = out.slice(out.indexOf('\nExit codes\n'));
    for (const { code } of exitCodes) expect(shown).toContain(`\n  ${code}  `);
    expect(exitCodes.map(({ code }) => code)).toEqual(expect.arrayContaining([0, 2]));
  });

  it.each(commands)('has examples of svc $path that its options allow', ({ path, options, examples }) => {
    expect(examples).not.toEqual([]);
    for (const { line } of examples) {
      expect(line).toMatch(new RegExp(`^svc ${path}(?: |$)`));
      for (const [, name] of line.matchAll(/ --([a-z-]+)/g))
        expect(options.map((option) => option.name)).toContain(name);
    }
  });

  it('loads neither the databases nor the compiler nor the platforms', () => {
    for (const path of ['generate', 'perspectives', 'audit verify', 'deploy canary']) {
      const { stdout, stderr } = spawnSync(process.execPath, [bin, ...path.split(' '), '--help'], {
        encoding: 'utf8',
        env: { ...process.env, NODE_DEBUG: 'esm' },
      });
      expect(stdout).toContain(`svc ${path}`);
      expect(stderr).toContain('packages/cli/dist');
      expect(stderr).not.toMatch(/packages\/(?!cli)\w+\/dist/);
    }
  });
});

it('has the same commands as docs/reference/cli.md; if not, run npm run cli', async () => {
  const page = readFileSync(new URL('../../docs/reference/cli.md', import.meta.url), 'utf8');
  expect(page).toBe(cliPage(JSON.parse((await svc(['help', '--json'])).out)));
});
