import type { Issue } from '../errors/index.js';
import { inexactNumbersOf } from './inexact-numbers.js';

/** An answer names at most this many issues, so that a large bad message cannot make a larger answer. */
const maximumIssues = 100;

/** Recursive values may nest this deep; generated readers recurse, and the stack must not be the limit. */
const maximumDepth = 100;

/** A key of the caller's is repeated in a pointer up to this length. */
const maximumKeyLength = 100;

/**
 * What a reader finds wrong. A reader records issues relative to the value it reads; its caller, which alone knows the key,
 * puts the key in front (`under`). A valid message therefore pays for one comparison per nested value and for no path.
 */
export class Issues {
  #list: { pointer: string; detail: string }[] | undefined;
  readonly #root: unknown;
  readonly #passUnknown: boolean;
  /** Whether the value was stored: what was accepted once stays readable, whatever limits for callers were added since. */
  readonly isStored: boolean;
  #inexact: ReadonlySet<number> | undefined;
  #depth = 0;
  /** How many issues are recorded; a reader compares it before and after a nested value. */
  count = 0;

  /**
   * `root` is the whole value being read: its text tells whether its numbers are exact. With `passUnknown`, keys that nobody knows are no
   * issue.
   */
  constructor(root: unknown, passUnknown = false, isStored = false) {
    this.#root = root;
    this.#passUnknown = passUnknown;
    this.isStored = isStored;
  }

  get list(): readonly Issue[] {
    return this.#list ?? [];
  }

  /** True when no more issues are recorded: a reader of a long list may stop. */
  get full(): boolean {
    return this.count >= maximumIssues;
  }

  add(key: string | null, detail: string): void {
    if (this.full) return;
    (this.#list ??= []).push({ pointer: key === null ? '' : `/${escapeKey(key)}`, detail });
    this.count++;
  }

  /** Records that `value`, found at `key` (null: the value read itself), is not what was expected, or is missing. */
  expected(key: string | null, value: unknown, what: string): void {
    this.add(key, value === undefined ? 'is required' : `must be ${what}`);
  }

  /** Records that the value read itself is not what was expected; its place holder is returned. */
  reject(value: unknown, what: string): never {
    this.expected(null, value, what);
    return undefined as never;
  }

  /**
   * Passes on `result`, read at `key`, and puts the key in front of what was recorded while it was read:
   * `issues.under('address', issues.count, readAddress(value['address'], issues))`.
   */
  under<T>(key: string | number, countBefore: number, result: T): T {
    if (this.count !== countBefore) this.#prefix(countBefore, key);
    return result;
  }

  #prefix(mark: number, key: string | number): void {
    const segment = typeof key === 'number' ? `/${key}` : `/${escapeKey(key)}`;
    const list = this.#list ?? [];
    for (let i = mark; i < list.length; i++) {
      const issue = list[i]!;
      issue.pointer = segment + issue.pointer;
    }
  }

  /** Records every key of `value` that is not in `known`. */
  unknownKeys(value: object, known: readonly string[]): void {
    if (this.#passUnknown) return;
    for (const key of Object.keys(value)) {
      if (this.full) return;
      if (!known.includes(key)) this.add(key, 'is not a known property');
    }
  }

  /** Called at the start of a recursive value; false, with an issue recorded, when it is nested too deeply. */
  enter(): boolean {
    if (this.#depth >= maximumDepth) {
      this.add(null, `must not be nested more than ${maximumDepth} levels deep`);
      return false;
    }
    this.#depth++;
    return true;
  }

  leave(): void {
    this.#depth--;
  }

  /** Whether a JSON number still has the value that was written. */
  isExact(value: number): boolean {
    this.#inexact ??= inexactNumbersOf(this.#root);
    return !this.#inexact.has(value);
  }
}

function escapeKey(key: string): string {
  const shown = key.length > maximumKeyLength ? `${key.slice(0, maximumKeyLength)}…` : key;
  return shown.includes('~') || shown.includes('/') ? shown.replaceAll('~', '~0').replaceAll('/', '~1') : shown;
}
