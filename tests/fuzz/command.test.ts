/** `npm run fuzz` as docs/reference/fuzzing.md shows it. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readOptions } from '../../tools/fuzz/index.mjs';

const main = fileURLToPath(new URL('../../tools/fuzz/main.mjs', import.meta.url));
const page = readFileSync(new URL('../../docs/reference/fuzzing.md', import.meta.url), 'utf8');

function run(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' });
}

it('accepts the commands of the page', () => {
  const commands = [...page.matchAll(/^npm run fuzz -- (.+)$/gm)].map(([, args = '']) => args.split(' '));
  expect(commands.length).toBeGreaterThan(2);
  for (const args of commands) expect(readOptions(args)).toBeDefined();
});

it('has the options of the page, and prints them', () => {
  const { status, stdout } = run('--help');
  expect(status).toBe(0);
  const options = stdout.match(/--\w+(?= )/g);
  expect(options).toEqual([...page.matchAll(/^\| `(--\w+)`/gm)].map(([, name]) => name));
});

it('prints progress and a table, and exits with 0 without failures, and with 1 otherwise', () => {
  const { status, stdout, stderr } = run('--requests', '150', '--seed', '3', '--connections', '2');
  // Other tests use the processors at the same time, so a response may be slow.
  const slow = [...stdout.matchAll(/^(\d+) × slow answer/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
  expect({ status, stderr, stdout }).toMatchObject({ status: slow > 0 ? 1 : 0, stderr: '' });
  expect(stdout).toMatch(
    /^seed 3, sqlite\n150 of 150 requests, \d+ per second, heap \d+\.\d MiB, rss .*, \d+ failures$/m,
  );
  expect(stdout).toMatch(/^changed +200 .* all$/m);
  expect(stdout).toMatch(/^seed +3$/m);
  expect(stdout).toMatch(/^commands answered, in the log +(\d+), \1$/m);
  expect(stdout).toMatch(new RegExp(`^failures +${slow}$`, 'm'));
}, 120_000);

it('reports an invalid option, and exits with 1', () => {
  const expected = { status: 1, stderr: '--requests must be a whole number above 0, not "all".\n' };
  expect(run('--requests', 'all')).toMatchObject(expected);
});
