/** Mutants that change nothing that can be observed, each with the reason. They do not count. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const listFile = join(import.meta.dirname, 'equivalent.json');

export function readEquivalents(file = listFile) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** The reason why a mutant is equivalent; null: it is not listed. */
export function reasonFor(mutant, equivalents) {
  return equivalents.find((one) => isSame(one, mutant))?.reason ?? null;
}

/** The texts decide, because lines move. */
export function isSame(listed, mutant) {
  return listed.file === mutant.file && listed.before === mutant.before && listed.after === mutant.after;
}
