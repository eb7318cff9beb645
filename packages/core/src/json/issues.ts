import type { Issue } from '../errors/index.js';
import { inexactNumbersOf } from './inexact-numbers.js';
import { maximumDepth, maximumIssues } from './limits.js';
import { escapeKey, truncated } from './pointers.js';

/**
 * Collects the validation errors of a message. A reader records issues relative to its value; the calling reader adds the key (`under`).
 * A valid message therefore costs one comparison per nested value, and no paths.
 */
export class Issues {
  #list: { pointer: string; detail: string }[] | undefined;
  readonly #root: unknown;
  readonly #passUnknown: boolean;
  /** Whether the value was stored: stored values stay readable, even if they exceed limits that were added later. */
  readonly isStored: boolean;
  #inexact: ReadonlySet<number> | undefined;
  #depth = 0;
  /** The number of recorded issues; a reader compares it before and after a nested value. */
  count = 0;

  /** `root` is the whole value: its text shows whether numbers are exact. With `passUnknown`, unknown keys are not issues. */
  constructor(root: unknown, passUnknown = false, isStored = false) {
    this.#root = root;
    this.#passUnknown = passUnknown;
    this.isStored = isStored;
  }

  get list(): readonly Issue[] {
    return (this.#list ?? []).map(({ pointer, detail }) => ({ pointer: truncated(pointer), detail }));
  }

  /** Whether the maximum is reached: a reader of a long list can stop. */
  get full(): boolean {
    return this.count >= maximumIssues;
  }

  add(key: string | null, detail: string): void {
    if (this.full) return;
    (this.#list ??= []).push({ pointer: key === null ? '' : `/${escapeKey(key)}`, detail });
    this.count++;
  }

  /** Records that `value` at `key` (null: the value itself) is missing or not as expected. */
  expected(key: string | null, value: unknown, what: string): void {
    this.add(key, value === undefined ? 'is required' : `must be ${what}`);
  }

  /** Records that the value itself is not as expected, and returns a placeholder. */
  reject(value: unknown, what: string): never {
    this.expected(null, value, what);
    return undefined as never;
  }

  /**
   * Returns `result`, and prefixes the pointers of the issues that were recorded while it was read with `key`:
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

  /** Called at the start of a recursive value. Returns false, and records an issue, if it is nested too deeply. */
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

  /** Whether a parsed number equals its text. */
  isExact(value: number): boolean {
    this.#inexact ??= inexactNumbersOf(this.#root);
    return !this.#inexact.has(value);
  }
}
