import type { AnchoredCheckpoint } from './anchor.js';
import { readCheckpoint, type Checkpoint } from './checkpoint.js';
import { digestOfEntries } from './seal-entries.js';
import type { PublicSealKey } from './seal-keys.js';

/** The checkpoints of one log that anchors have received. */
export class AnchoredCheckpoints {
  readonly #byNumber = new Map<number, AnchoredCheckpoint[]>();
  readonly #logs = new Set<string>();
  readonly #keys = new Map<string, PublicSealKey>();
  /** The number of the last one; 0: there is none. */
  readonly last: number = 0;

  constructor(received: readonly AnchoredCheckpoint[], log: string | null) {
    for (const one of received) {
      const checkpoint = readCheckpoint(one.checkpoint);
      if (checkpoint === null) continue;
      this.#logs.add(checkpoint.log);
      if (log !== null && checkpoint.log !== log) continue;
      const known = this.#byNumber.get(checkpoint.number);
      if (known === undefined) this.#byNumber.set(checkpoint.number, [one]);
      else known.push(one);
      this.last = Math.max(this.last, checkpoint.number);
      for (const key of checkpoint.keys) this.#keys.set(key.id, key);
    }
  }

  get keys(): readonly PublicSealKey[] {
    return [...this.#keys.values()];
  }

  /** Whether the anchors have checkpoints, but none of this log. */
  get areOfOtherLogs(): boolean {
    return this.#byNumber.size === 0 && this.#logs.size > 0;
  }

  /** Whether an anchor has another checkpoint under a number. */
  contradicts(number: number, text: string): boolean {
    return this.#byNumber.get(number)?.some(({ checkpoint }) => checkpoint !== text) === true;
  }

  has(number: number): boolean {
    return this.#byNumber.has(number);
  }

  /** The entries that an anchor has of a checkpoint, and the checkpoint; null: none has them, or they are not those of the checkpoint. */
  entriesOf(number: number): { readonly checkpoint: Checkpoint; readonly entries: Uint8Array } | null {
    for (const { checkpoint: text, entries } of this.#byNumber.get(number) ?? []) {
      const checkpoint = readCheckpoint(text)!;
      if (entries !== undefined && digestOfEntries(entries) === checkpoint.entries) return { checkpoint, entries };
    }
    return null;
  }
}
