/** No regular expression of a package takes more than linear time. Decision 0061 says how that is known. */
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { expressionsIn, faultOf } from './regular-expressions.js';
import { reviewedExpressions } from './reviewed-expressions.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

// In this process, and not by a program that only some machines have: every machine decides the same.
beforeAll(() => void vi.stubEnv('RECHECK_BACKEND', 'pure'));
afterAll(() => void vi.unstubAllEnvs());

/** They read only the sources of this repository, in tests. */
const fixtures = 'packages/generator/src/analysis/testing';
const sources = readdirSync(join(root, 'packages')).flatMap((name) => {
  const folder = join('packages', name, 'src');
  if (!existsSync(join(root, folder))) return [];
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  const shipped = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  return shipped.map((file) => join(folder, file)).filter((file) => !file.startsWith(fixtures));
});
const found = sources.flatMap((file) =>
  expressionsIn(readFileSync(join(root, file), 'utf8')).map(({ text, expression }) => ({ file, text, expression })),
);
const keyOf = ({ file, text }: { readonly file: string; readonly text: string }): string => `${file}: ${text}`;

/** Texts of expressions that were proven to take linear time. */
const provenFile = fileURLToPath(new URL('linear-expressions.json', import.meta.url));
const readProven = (): ReadonlySet<string> => new Set(JSON.parse(readFileSync(provenFile, 'utf8')) as string[]);
/** `new`: proves what is not recorded; `all`: proves everything again. */
const proving = process.env['SVC_TEST_EXPRESSIONS'];
const unreviewed = found.filter((one) => !reviewedExpressions.some((reviewed) => keyOf(reviewed) === keyOf(one)));

describe('the regular expressions of the packages', () => {
  it('take linear time, or were reviewed by a person', () => {
    expect(found.length).toBeGreaterThan(150);
    const proven = readProven();
    // Prove a new expression: SVC_TEST_EXPRESSIONS=new npx vitest run tests/lint/regular-expressions.test.ts
    expect(unreviewed.filter(({ text }) => !proven.has(text)).map(keyOf)).toEqual([]);
    expect([...proven].filter((text) => !unreviewed.some((one) => one.text === text))).toEqual([]);
  });

  // Some of the proofs take half a minute, and each is valid until its expression changes.
  it.runIf(proving !== undefined)('are proven, and recorded', { timeout: 1_800_000 }, async () => {
    const faults = new Map<string, string | null>();
    if (proving === 'new') for (const text of readProven()) faults.set(text, null);
    for (const { file, text, expression } of unreviewed) {
      if (faults.has(text)) continue;
      const fault = expression === null ? 'is built at run time' : await faultOf(expression);
      faults.set(text, fault === null ? null : `${keyOf({ file, text })} ${fault}`);
    }
    // Rewrite the expression, or explain in reviewed-expressions.ts why it is linear or its input bounded.
    expect([...faults.values()].filter((fault) => fault !== null)).toEqual([]);
    const texts = new Set(unreviewed.map(({ text }) => text));
    const proven = [...faults.keys()].filter((text) => texts.has(text)).toSorted();
    writeFileSync(provenFile, `${JSON.stringify(proven, null, 2)}\n`);
  });

  it('that a person reviewed are all still there, each with its reason', () => {
    const present = new Set(found.map(keyOf));
    expect(reviewedExpressions.map(keyOf).filter((key) => !present.has(key))).toEqual([]);
    expect(reviewedExpressions.filter(({ reason }) => reason.length < 20)).toEqual([]);
    expect(new Set(reviewedExpressions.map(keyOf)).size).toBe(reviewedExpressions.length);
  });
});

describe('the check', () => {
  it('finds every way to write an expression, and nothing else', () => {
    const source = `
      // A comment with /a+/ and new RegExp('b').
      const literal = /[/"]c+$/gu, ratio = d / e / f;
      const built = new RegExp(\`g\${h}\`), called = RegExp(i), alias = RegExp;
      text.match('j+'); text.matchAll(\`k\`); text.search("l"); text.split('m');
      const type: RegExp = value instanceof RegExp ? other.RegExp : '/n+/';
      @decorated() class Decorated { readonly #o = /p/; }`;
    expect(expressionsIn(source).map(({ text }) => text)).toEqual([
      '/[/"]c+$/gu',
      'new RegExp(`g${h}`)',
      'RegExp(i)',
      'alias = RegExp',
      "text.match('j+')",
      'text.matchAll(`k`)',
      'text.search("l")',
      '/p/',
    ]);
  });

  it.each([
    ['one that was here', String.raw`;\s*charset\s*=\s*("?)([^";\s]*)\1\s*(?=;|$)`, 'gi', 'cannot be decided'],
    ['one that was here', String.raw`^bearer(?: +(.*))?$`, 'i', 'takes 2nd degree polynomial time'],
    ['a run at the end', String.raw`0+$`, '', 'takes 2nd degree polynomial time'],
    ['a repetition in a repetition', '(a+)+$', '', 'takes exponential time'],
    ['alternatives that overlap', '^(?:a|a)*$', '', 'takes exponential time'],
  ])('rejects %s: /%s/%s', async (_name, source, flags, fault) => {
    expect(await faultOf({ source, flags })).toContain(fault);
  });
});
