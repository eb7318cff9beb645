import type { HeldModel } from './held-model.js';

/** How many characters a model counts in addition to its own. */
const charactersPerModel = 400;

/**
 * Models in memory, up to a limit. They are in two generations: when the younger one has half of the limit, it replaces the older one, whose
 * models are dropped unless they were used since.
 */
export class ModelCache {
  readonly #mostCharacters: number;
  #young = new Map<string, HeldModel>();
  #old = new Map<string, HeldModel>();
  /** The characters and the number of young models whose size is known. */
  #measured = { characters: 0, models: 0 };
  /** The average of the previous generation. */
  #lastAverage = charactersPerModel;

  constructor(mostCharacters: number) {
    this.#mostCharacters = mostCharacters;
  }

  get(id: string): HeldModel | undefined {
    const young = this.#young.get(id);
    if (young !== undefined) return young;
    const old = this.#old.get(id);
    if (old === undefined) return undefined;
    this.#old.delete(id);
    this.set(old);
    return old;
  }

  set(model: HeldModel): void {
    this.#young.set(model.id, model);
    this.measure(model);
  }

  delete(id: string): void {
    this.#young.delete(id);
    this.#old.delete(id);
  }

  /** Counts a model whose size has become known. */
  measure({ characters }: HeldModel): void {
    if (characters === null) return;
    this.#measured.characters += characters + charactersPerModel;
    this.#measured.models++;
  }

  /** Drops models if there are too many, and returns whether it did. */
  limit(): boolean {
    if (this.averageCharacters * this.#young.size <= this.#mostCharacters / 2) return false;
    this.#lastAverage = this.averageCharacters;
    const drops = this.#old.size > 0;
    this.#old = this.#young;
    this.#young = new Map();
    this.#measured = { characters: 0, models: 0 };
    return drops;
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
    this.#measured = { characters: 0, models: 0 };
  }

  /** The size of a model on average. Models whose size is unknown count as that. */
  get averageCharacters(): number {
    const { characters, models } = this.#measured;
    return models === 0 ? this.#lastAverage : characters / models;
  }
}
