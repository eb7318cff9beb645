import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseClaim, type RolloutClaim, type RolloutClaims } from '../platform/index.js';
import { StateFile } from '../state-file.js';

/**
 * The claim as numbered files, of which the highest counts: a claim takes the place of another by being made under the next number, which
 * only one can do. None is a file as well, so that numbers never begin anew.
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
    const mine = number + 1;
    if (!(await this.#file(mine).create(JSON.stringify(next)))) return false;
    const numbers = await this.#numbers();
    // Others were so much faster that the number was free again. It counts for nothing.
    const isLate = numbers.some((other) => other > mine);
    const useless = isLate ? [mine] : numbers.filter((other) => other < mine);
    await Promise.all(useless.map((other) => this.#file(other).write(null)));
    return !isLate;
  }

  async #latest(): Promise<{ readonly number: number; readonly claim: RolloutClaim | null }> {
    for (;;) {
      const number = Math.max(0, ...(await this.#numbers()));
      if (number === 0) return { number, claim: null };
      const text = await this.#file(number).read();
      // Gone since it was listed: there is a higher one by now.
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
