/** What is mutated, and that a source with mutants does the same as without them until one is active. */
import { transformSync } from 'esbuild';
import { expect, it } from 'vitest';
import {
  instrument,
  isSame,
  mutantsOf,
  numberedMutants,
  readEquivalents,
  readOptions,
  readSources,
  sampleOf,
} from '../../tools/mutation/index.mjs';

const root = new URL('../..', import.meta.url).pathname;

/** The mutants of a text, as `operator: replacement`. */
const mutationsOf = (code: string): string[] =>
  mutantsOf(code, 'example.ts').mutants.map(({ operator, replacement }) => `${operator}: ${replacement}`);

it.each([
  ['if (a < b) f();', ['condition: true', 'condition: false', 'comparison: a <= b', 'statement: ']],
  ['const x = a === b;', ['comparison: a !== b']],
  ['const x = (a + 1) * b;', ['arithmetic: (a + 1) / b', 'arithmetic: a - 1']],
  ['const x = a ?? b;', ['operand: a', 'operand: b']],
  ['const x = a?.b.c?.(d);', ['optional chaining: a.b.c?.(d)', 'optional chaining: a?.b.c(d)']],
  ['const x = list.filter(f).some(g);', ['method: list.filter(f).every(g)', 'method: list']],
  ['const x = seen.has(a);', ['predicate: !seen.has(a)']],
  ['while (a) n++;', ['condition: false', 'statement: ', 'arithmetic: n--']],
  ['const x = { a: [1], b: true };', ['object: {}', 'array: []', 'boolean: false']],
  [`const x = f('orders');`, [`string: ''`]],
])('mutates %s', (code, expected) => {
  expect(mutationsOf(code)).toEqual(expected);
});

it.each([
  ['types', `type A = 'a' | 'b'; interface B { readonly c: true }`],
  ['imports and names of properties', `import { a } from 'a'; const b = a.c; export { b as 'd' };`],
  ['texts of errors', `throw new Error('SVC_FAILED');`],
  ['fields that a constructor sets', 'class A extends B { constructor(c) { super(); this.c = c; } }'],
  ['toString and other names of Object', 'const x = a.toString(b);'],
])('does not mutate %s', (_what, code) => {
  expect(mutationsOf(code)).toEqual([]);
});

const example = `
let calls: string[] = [];
const log = (text: string): void => void calls.push(text);
class Counter {
  #count = 0;
  get count(): number { return this.#count; }
  add(by = 1): this { this.#count += by; return this; }
}
function classify(value?: { readonly size: number; tags?: string[] }): string {
  calls = [];
  if (value === undefined) log('none');
  else if (value.size > 3 && (value.tags?.length ?? 0) > 0) log('big');
  else log('small');
  for (const tag of value?.tags ?? []) if (tag.startsWith('a')) log(tag); else log('-' + tag);
  const counter = new Counter().add().add(2);
  return calls.join() + (counter.count - 1) * 2;
}
globalThis.answers = [undefined, { size: 1 }, { size: 4, tags: ['a', 'b'] }, { size: 9 }].map(classify);
`;

/** What the example computes. */
function answersOf(typescript: string, mutant = 0): unknown {
  const scope = { answers: null };
  const { code } = transformSync(typescript, { loader: 'ts', target: 'es2022' });
  // oxlint-disable-next-line typescript/no-implied-eval, eslint/no-new-func -- the code that a test process would load
  new Function('globalThis', 'svcMutant', code)(scope, (number: number) => number === mutant);
  return scope.answers;
}

it('computes the same with all mutants in the source, and something else with each that its values can show', () => {
  const parsed = mutantsOf(example, 'example.ts');
  const instrumented = instrument(parsed, 1);
  const original = answersOf(example);
  expect(original).toEqual(['none4', 'small4', 'big,a,-b4', 'small4']);
  expect(answersOf(instrumented)).toEqual(original);
  const unnoticed = parsed.mutants.filter((_mutant, index) => {
    try {
      return JSON.stringify(answersOf(instrumented, index + 1)) === JSON.stringify(original);
    } catch {
      return false;
    }
  });
  expect(parsed.mutants.length).toBeGreaterThan(30);
  expect(unnoticed.map(({ start, end, replacement }) => `${example.slice(start, end)} → ${replacement}`)).toEqual([
    'value.size > 3 && (value.tags?.length ?? 0) > 0 → (value.tags?.length ?? 0) > 0',
    'value.size > 3 → value.size >= 3',
    'value.tags?.length ?? 0 → value.tags?.length',
    `tag.startsWith('a') → tag.endsWith('a')`,
    '{ size: 1 } → {}',
    '{ size: 9 } → {}',
  ]);
});

it('draws the same sample with the same seed', () => {
  const source = { file: 'example.ts', code: example, first: 1 };
  const sample = sampleOf(numberedMutants(source), 5, 7);
  expect(sample).toHaveLength(5);
  expect(sampleOf(numberedMutants(source), 5, 7)).toEqual(sample);
  expect(sampleOf(numberedMutants(source), 5, 8)).not.toEqual(sample);
});

it('lists only equivalent mutants that the sources have, each with a reason', () => {
  const listed = readEquivalents();
  const files = new Set(listed.map(({ file }) => file));
  const mutants = readSources(root)
    .filter(({ file }) => files.has(file))
    .flatMap(numberedMutants);
  expect(listed.filter((one) => !mutants.some((mutant) => isSame(one, mutant)))).toEqual([]);
  expect(listed.filter(({ reason }) => reason.length < 20)).toEqual([]);
});

it('asks for a folder, and rejects numbers that are none', () => {
  expect(() => readOptions([])).toThrow('Name a folder or a file to mutate.');
  expect(() => readOptions(['packages/core/src/transport', '--sample', 'ten'])).toThrow(
    '--sample must be a whole number above 0, not "ten".',
  );
});
