/** `npm run simulate` as docs/reference/simulation.md shows it. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { invariants, readOptions } from '../../tools/simulation/index.mjs';

const main = fileURLToPath(new URL('../../tools/simulation/main.mjs', import.meta.url));
const page = readFileSync(new URL('../../docs/reference/simulation.md', import.meta.url), 'utf8');

function run(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' });
}

const firstCells = (pattern: RegExp): (string | undefined)[] => [...page.matchAll(pattern)].map(([, cell]) => cell);

it('accepts the commands of the page', () => {
  const commands = firstCells(/^npm run simulate -- (.+)$/gm);
  expect(commands.length).toBeGreaterThan(1);
  for (const args of commands) expect(readOptions(args!.split(' '))).toBeDefined();
  expect(readOptions(['--seed', '7'])).toMatchObject({ seed: 7, seeds: 1 });
  expect(readOptions([])).toMatchObject({ seed: 1, seeds: 200 });
});

it('has the options and the invariants of the page', () => {
  const { status, stdout } = run('--help');
  expect(status).toBe(0);
  expect(stdout.match(/--\w+(?= )/g)).toEqual(firstCells(/^\| `(--\w+)`/gm));
  expect(invariants).toEqual(firstCells(/^\| `([a-z ]+)` +\|/gm));
});

it('prints what happened and a table, and exits with 0 without violations', () => {
  const { status, stdout, stderr } = run('--seed', '3', '--trace');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^\d+\.\d\d east-1 starts$/m);
  expect(stdout).toMatch(/^seeds +1$/m);
  expect(stdout).toMatch(/^commands of clients +\d+$/m);
  expect(stdout).toMatch(/^failing seeds +0$/m);
}, 120_000);

it('reports an invalid option, and exits with 1', () => {
  const expected = { status: 1, stderr: '--seeds must be a whole number above 0, not "all".\n' };
  expect(run('--seeds', 'all')).toMatchObject(expected);
});
