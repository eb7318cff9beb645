/** docs/reference/interoperability.md has the rows, versions and files of the repository. Results come from `npm run interop`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { cellsOf, isGood, pagePath, resultsIn } from '../../tools/interop/page.mjs';
import { rows } from '../../tools/interop/rows.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(root, pagePath), 'utf8');
const table = page
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.slice(2, -2).split(' | '))
  .map((cells) => cells.map((cell) => cell.trim()))
  .slice(2);

it('the page has the rows with the installed versions; otherwise, run "npm run interop"', () => {
  expect(table.map((cells) => cells.slice(0, -1))).toEqual(rows.map((row) => cellsOf(root, row)));
});

it.each(table.map((cells) => [cells[0]!, cells.at(-1)!]))(
  'the result of %s is that all tests passed',
  (_row, result) => {
    expect(result).toMatch(/^[1-9]\d* passed$/);
  },
);

it.each(rows)('$client has tests, in npm test unless it is long', ({ files, long }) => {
  for (const file of files) {
    expect(file).toMatch(long ? /^tests\/interoperability\/long\/.+\.long\.ts$/ : /^tests\/.+\.test\.ts$/);
    expect(readFileSync(join(root, file), 'utf8')).toMatch(/^ *it(?:\.each)?\(/m);
  }
});

it('every test with a client is in a row', () => {
  const own = 'tests/interoperability/page.test.ts';
  const found = ['tests/interoperability', 'tests/interoperability/long'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
  );
  const tests = found.filter((file) => /\.(?:test|long)\.ts$/.test(file) && file !== own);
  const inRows = new Set(rows.flatMap(({ files }) => files));
  expect(tests.filter((file) => !inRows.has(file))).toEqual([]);
});

describe('the result of a run', () => {
  const [first] = rows;
  const resultOf = (...tests: readonly { readonly fullName: string; readonly status: string }[]) =>
    resultsIn(root, { testResults: [{ name: join(root, first!.files[0]!), assertionResults: tests }] })[0]!;
  const passing = { fullName: `${first!.suite} works`, status: 'passed' };

  it('counts the tests of the row only', () => {
    const result = resultOf(passing, { fullName: 'another test', status: 'failed' });
    expect([result, isGood(result)]).toEqual([{ passed: 1, failed: 0, isComplete: true }, true]);
  });

  it.each(['failed', 'skipped', 'pending'])('is bad if a test is %s', (status) => {
    expect(isGood(resultOf(passing, { ...passing, status }))).toBe(false);
  });

  it('is bad if no test of a file has run', () => {
    expect(isGood(resultOf())).toBe(false);
  });
});
