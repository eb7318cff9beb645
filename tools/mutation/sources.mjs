/** The sources that are mutated, and the numbers of their mutants. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../fuzz/random.mjs';
import { filesOf } from './files.mjs';
import { mutantsOf } from './mutants.mjs';

/** Packages whose sources can be mutated. One map records which tests reach their mutants. */
const packages = ['core', 'postgres', 'sqlite'];

/** The numbers of the mutants of a file follow one another, from a multiple of this on. */
const mostPerFile = 4_096;

/** All sources, each with the number of its first mutant. */
export function readSources(root) {
  return packages
    .flatMap((name) => filesOf(root, `packages/${name}/src`))
    .filter(isSource)
    .map((file, at) => ({ file, code: readFileSync(join(root, file), 'utf8'), first: (at + 1) * mostPerFile }));
}

/** The highest number that a mutant can have. */
export function highestNumber(sources) {
  return (sources.length + 1) * mostPerFile;
}

/** The mutants of a source: number, file, line, operator, and the text before and after. */
export function numberedMutants({ file, code, first }) {
  const { mutants } = mutantsOf(code, file);
  if (mutants.length > mostPerFile) throw new Error(`${file} has ${mutants.length} mutants, more than ${mostPerFile}.`);
  return mutants.map(({ index, line, operator, start, end, replacement }) => ({
    number: first + index,
    file,
    line,
    operator,
    before: code.slice(start, end),
    after: replacement,
  }));
}

/** Helpers of tests, types and generated code are not mutated. */
function isSource(file) {
  return file.endsWith('.ts') && !/\.(?:test|d)\.ts$|\/(?:testing|generated)\//.test(file);
}

/** The sources in folders or files that the user names. */
export function selected(sources, targets) {
  for (const target of targets) {
    if (!sources.some(({ file }) => isWithin(file, target)))
      throw new Error(
        `No sources that can be mutated in "${target}". Name a folder such as packages/core/src/transport.`,
      );
  }
  return sources.filter(({ file }) => targets.some((target) => isWithin(file, target)));
}

function isWithin(file, target) {
  const path = target.replace(/^\.\//, '').replace(/\/+$/, '');
  return file === path || file.startsWith(`${path}/`);
}

/** `size` of the mutants, chosen by the seed, in the order of the sources. */
export function sampleOf(mutants, size, seed) {
  const random = new Random(seed);
  const left = [...mutants];
  const chosen = [];
  while (chosen.length < size && left.length > 0) chosen.push(...left.splice(random.below(left.length), 1));
  return chosen.toSorted((a, b) => a.number - b.number);
}
