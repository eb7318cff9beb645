import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseClaim, type RolloutClaim, type RolloutClaims } from '../platform/index.js';
import { StateFile } from '../state-file.js';

/**
 * The claim as numbered files, of which the highest is valid. A claim replaces another by creating the file with the next number, which
 * only one process can do. A released claim is also a file, so that numbers are never reused.
 */
export class ClaimFiles implements RolloutClaims {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async claim(): Promise<RolloutClaim | null> {
    return (await this.#latest()).claim;
  }

  async replaceClaim(expected: string | null, next: RolloutClaim | null): Promise<boolean> {
    const { number, claim } = await this.#latest();
    if ((claim?.id ?? null) !== expected) return false;
    const own = number + 1;
    if (!(await this.#file(own).create(JSON.stringify(next)))) return false;
    const numbers = await this.#numbers();
    // Others may have been so fast that the number was free again. This file is then void.
    const isLate = numbers.some((other) => other > own);
    const useless = isLate ? [own] : numbers.filter((other) => other < own);
    await Promise.all(useless.map((other) => this.#file(other).write(null)));
    return !isLate;
  }

  async #latest(): Promise<{ readonly number: number; readonly claim: RolloutClaim | null }> {
    for (;;) {
      const number = Math.max(0, ...(await this.#numbers()));
      if (number === 0) return { number, claim: null };
      const text = await this.#file(number).read();
      // Deleted since it was listed: a higher one exists by now.
      if (text !== null) return { number, claim: parseClaim(text) };
    }
  }

  async #numbers(): Promise<readonly number[]> {
    try {
      const names = await readdir(this.#folder);
      return names.flatMap((name) => /^(\d+)\.json$/.exec(name)?.slice(1).map(Number) ?? []);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
      throw error;
    }
  }

  #file(number: number): StateFile {
    return new StateFile(join(this.#folder, `${number}.json`));
  }
}
