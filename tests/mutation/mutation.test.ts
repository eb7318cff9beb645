/** The runner of `npm run mutate`, on a small package. docs/reference/mutation.md has the results of the real ones. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mutate, readOptions, reportOf, type MutationResult } from '../../tools/mutation/index.mjs';

const source = `
const longest = [20];

export function isShort(text: string, limit = longest[0]!): boolean {
  if (text === '') return true;
  return text.length <= limit;
}

export function countdown(from: number): number {
  let steps = 0;
  for (let left = from; left > 0; left--) steps++;
  return steps;
}

export function unused(a: boolean, b: boolean): boolean {
  return a && b;
}
`;

const test = `
import { expect, it } from 'vitest';
import { countdown, isShort } from './texts.js';

it('is short below the limit, and not above it', () => {
  expect(isShort('svc')).toBe(true);
  expect(isShort('service', 3)).toBe(false);
});

it('counts the steps', () => {
  expect(countdown(3)).toBe(3);
});
`;

let result: MutationResult;
let root: string;

beforeAll(async () => {
  // Within the checkout, so that Vitest is found.
  const cache = join(import.meta.dirname, '..', '..', '.cache');
  mkdirSync(cache, { recursive: true });
  root = mkdtempSync(join(cache, 'mutation-test-'));
  const folder = join(root, 'packages', 'core', 'src', 'texts');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'texts.ts'), source);
  writeFileSync(join(folder, 'texts.test.ts'), test);
  writeFileSync(join(folder, 'broken.test.ts'), `throw new Error('This file is broken.');`);
  writeFileSync(join(root, 'vitest.config.ts'), `export default { test: { include: ['**/*.test.ts'] } };`);
  const equivalents = [
    { file: 'packages/core/src/texts/texts.ts', before: `text === ''`, after: 'false', reason: 'It is short anyway.' },
  ];
  const options = readOptions(['packages/core/src/texts', '--workers', '1']);
  result = await mutate(root, { ...options, equivalents, graceMs: 300 });
}, 180_000);

afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The status of a mutant. */
function statusOf(before: string, after: string): string {
  const found = result.mutants.filter((one) => one.before === before && one.after === after);
  expect(found, `${before} → ${after}`).toHaveLength(1);
  return found[0]!.status;
}

it('kills a mutant that a test notices, and names the test', () => {
  expect(statusOf('text.length <= limit', 'text.length > limit')).toBe('killed');
  expect(result.mutants.find(({ after }) => after === 'text.length > limit')).toMatchObject({
    line: 6,
    by: join(root, 'packages/core/src/texts/texts.test.ts'),
    failure: 'is short below the limit, and not above it: expected false to be true // Object.is equality',
  });
});

it('lets a mutant survive that no test notices', () => {
  expect(statusOf('text.length <= limit', 'text.length < limit')).toBe('survived');
  expect(reportOf(result, 1)).toContain(
    'packages/core/src/texts/texts.ts:6  survived, comparison\n  text.length <= limit\n  → text.length < limit',
  );
});

it('ends a mutant that never ends', () => {
  expect(statusOf('left--', 'left++')).toBe('timeout');
});

it('kills a mutant of a value that is made while the sources are loaded', () => {
  expect(statusOf('[20]', '[]')).toBe('killed');
});

it('tells mutants that no test reaches from those that survive', () => {
  expect(statusOf('a && b', 'a')).toBe('not covered');
});

it('counts equivalent mutants apart, and leaves out test files that fail without a mutant', () => {
  expect(statusOf(`text === ''`, 'false')).toBe('equivalent');
  expect(statusOf(`text === ''`, 'true')).toBe('killed');
  expect(result.excluded).toMatchObject([
    { file: 'packages/core/src/texts/broken.test.ts', reason: expect.stringContaining('This file is broken.') },
  ]);
});
