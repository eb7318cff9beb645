/** `npm run torture` as docs/reference/reliability.md shows it. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { commandOf, invariants, readOptions, reportOf, runs, type TortureResult } from '../../tools/torture/index.mjs';

const main = fileURLToPath(new URL('../../tools/torture/main.mjs', import.meta.url));
const page = readFileSync(new URL('../../docs/reference/reliability.md', import.meta.url), 'utf8');
const cells = (pattern: RegExp, text = page): (string | undefined)[] =>
  [...text.matchAll(pattern)].map(([, cell]) => cell);
const section = (heading: string): string => page.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!;

const result: TortureResult = {
  run: 'kills',
  unit: 'kills of hosts',
  storages: ['sqlite'],
  isOneStorage: true,
  hosts: 2,
  from: null,
  seed: 7,
  count: 2_000,
  done: 1_500,
  rounds: 4,
  seconds: 61.2,
  counts: { 'stored events': 12_345 },
  invariants: [
    { name: 'streams are in order', checked: 1_234, violations: [] },
    { name: 'nothing is left over', checked: 8, violations: ['north: dead letter: x', ...Array<string>(11).fill('y')] },
  ],
};

it('accepts the commands of the page', () => {
  const commands = cells(/^(?:unshare [\w -]+ )?npm run torture -- (.+)$/gm);
  expect(commands.length).toBeGreaterThan(2);
  for (const args of commands) expect(readOptions(args!.split(' '))).toBeDefined();
});

it('has the runs, the options and the invariants of the page', () => {
  const { status, stdout } = spawnSync(process.execPath, [main, '--help'], { encoding: 'utf8' });
  expect(status).toBe(0);
  expect(stdout.match(/^ {2}--\w+/gm)?.map((option) => option.trim())).toEqual(cells(/^\| `(--\w+)`/gm));
  expect(cells(/^\| `(\w+)`/gm, section('Runs'))).toEqual(Object.keys(runs));
  const named = cells(/\| `([a-z, ]+)` +\|$/gm, section('Guarantees'));
  expect(new Set(named)).toEqual(new Set([...invariants, 'messages arrive once, in the order of their stream']));
});

it.each([
  [[], 'Name a run: kills, crashes, failover, broker, disk, upgrade. "--help" explains them.'],
  [['kills', 'disk'], 'Name one run, not 2.'],
  [['kills', '--count', 'all'], '--count must be a whole number from 1 to 2147483646, not "all".'],
  [['kills', '--hosts', '4'], '--hosts must be a whole number from 1 to 3, not "4".'],
  [['broker', '--hosts', '2'], '--hosts is not for broker.'],
  [['crashes', '--storage', 'sqlite'], '--storage for crashes must be postgres, not "sqlite".'],
  [['kills', '--from', 'HEAD'], '--from is for upgrade.'],
])('rejects the arguments %j', (args, message) => {
  expect(() => readOptions(args)).toThrow(message);
});

it('chooses a number of hosts by the seed', () => {
  expect([1, 2, 3].map((seed) => readOptions(['kills', '--seed', String(seed)]).hosts)).toEqual([2, 3, 1]);
});

it('prints counts, invariants and the first violations, and the command that repeats a run', () => {
  expect(commandOf(result)).toBe('npm run torture -- kills --count 1500 --seed 7 --hosts 2 --storage sqlite');
  const report = reportOf(result);
  expect(report).toMatch(/^kills of hosts +1,500 of 2,000, ended early$/m);
  expect(report).toMatch(/^stored events +12,345$/m);
  expect(report).toMatch(/^streams are in order +1,234 +holds$/m);
  expect(report).toMatch(/^nothing is left over +8 +12 violations$/m);
  expect(report).toContain('Violated: nothing is left over\n  north: dead letter: x\n  y');
  expect(report).toMatch(/^ {2}and 2 more$/m);
});
